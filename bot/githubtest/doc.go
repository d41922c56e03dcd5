// Package githubtest is a double of the part of GitHub's API that the bot uses.
//
// A Server listens on loopback and keeps comments, reactions, check runs, pull
// requests, workflow runs and artifacts in memory. Every request, and every
// answer of its own, is held against GitHub's own OpenAPI description, cut to
// the operations used (description.json, made by cut). What the description
// does not say but GitHub does is here too: pages and their Link headers, rights
// of tokens, 65,536 characters in a comment, 50 annotations a call, appending
// annotations on update, artifacts behind a redirect to another host.
//
// It can be told to fail (Failure): limits with and without Retry-After, any
// status, slow answers, broken connections, and answers lost after the work was
// done. Intercept runs a function before a request is served, which is how two
// runs are made to race.
//
// Package serve makes a program of it, for workflows that run under act.
//
// What it cannot do: it knows no git, so commits are just names with parents, and
// files are those that the state lists;
// GraphQL is two queries, not validated; it does not check which workflow may
// run again.
package githubtest

//go:generate go run ./cut ${OCTOKIT_OPENAPI}/generated/api.github.com.json description.json
