// Command serve runs the double of GitHub's API as a program:
//
//	go run ./bot/githubtest/serve -addr 127.0.0.1:9999 -state DIR
//
// so that workflows which run under act talk to it (--env GITHUB_API_URL). It
// starts with DIR/state.json (githubtest.State) where there is one, and after
// each request writes DIR/state.json, DIR/requests.json and DIR/violations.json
// again. Archives DIR/artifacts/RUN/NAME.zip are artifacts of that run, also
// when they come later. DIR/ready appears when it listens. It ends on an
// interrupt, with code 1 where a request was not as GitHub describes its API.
package main
