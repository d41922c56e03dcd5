// Package trust puts a stream under the word of GitHub and of the base branch.
//
// Whoever opens a pull request controls the job that compares it, and so the whole
// stream that the job leaves. A job that may write, the report job of the same run
// or the publishing run for forks, believes of it only what it has checked: that it
// is about the pull request's head or a merge of it, and that its base lies on the
// branch that the pull request goes to. What makes a comparison fail and what is
// accepted comes from the workflow's own inputs, from .isodelta.yml on the base
// branch, read through the API, and from comments of people with write access;
// whatever the stream says of that is dropped. Head's file is read in the same way,
// as text: it may make the rules stricter, and the report says what it changes.
//
// What it cannot do: the findings themselves stay the word of the job that compared.
package trust
