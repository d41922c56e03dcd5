// Package withheld takes secrets out of the environment that a process was
// started with.
//
// A process that runs strangers' tests is itself in their reach: its first
// environment can be read in /proc/PID/environ by root, and where nothing is
// restricted by every process of the same user, and no call takes anything out
// of it. So [Take], which package main calls before anything else, executes the
// program again in the same process, with an environment of what the go command
// needs and nothing else ([sandbox.BuildEnv]). The other variables are handed
// over in a file without a name and live on in the memory of the second
// program, whom [Variables.Get] answers.
//
// On Linux that memory is closed as well: the process is not dumpable, so that
// no other process of the same user may read or trace it. See
// [sandbox.Start] for the one moment in which it has to be.
//
// # What it cannot do
//
// Root reads any process's memory. On systems where a program cannot be
// executed again the first environment stays as it is; the variables are then
// taken out of what child processes get, no more.
package withheld
