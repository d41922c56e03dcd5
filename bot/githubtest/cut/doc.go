// Command cut reduces GitHub's OpenAPI description to the operations that the
// bot uses, so that it can be embedded in the double of the API:
//
//	go run ./cut api.github.com.json description.json
//
// The description is api.github.com.json of the npm package @octokit/openapi.
// Kept are the operations listed in this file and every component that they
// refer to; texts, examples and GitHub's extensions go.
package main
