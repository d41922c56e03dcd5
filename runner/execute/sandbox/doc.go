// Package sandbox starts processes that cannot do harm outside their own
// directories. A variant runs with a negated branch, which may be the one that
// kept the code from deleting a home directory.
//
// # How
//
// The parent starts its own executable again with [HelperArg] as first
// argument ([Command]). Package main calls [Helper] before anything else; in
// that process it restricts itself and then becomes the target by exec. What it
// gave up cannot be taken back by the target or by any process that it starts.
//
//   - Landlock: files are written, created, renamed and removed only below
//     Policy.Writable, and on /dev/null and its like. Reading and executing are
//     free. Where the kernel knows how, signals and sockets reach no process
//     outside either.
//   - A network namespace of its own, with nothing but a loopback interface:
//     tests that listen on 127.0.0.1 or ::1 work, everything else is
//     unreachable. Landlock could not do this, since its rules know ports, not
//     addresses. For users other than root a user namespace comes with it, in
//     which they keep their ids; some systems forbid it (Ubuntu 24.04 by
//     AppArmor, containers by seccomp).
//   - Limits: no core dumps; the size of the data segment and of written files
//     where the policy asks for it.
//   - A process group of its own, and an end when the parent ends.
//
// [Probe] tells which level the machine allows, by trying it: a child has to
// fail where it must and to succeed where it should. [ScrubEnv] and [BuildEnv]
// leave of an environment what tests and builds need.
//
// # What it cannot do
//
// It protects from accidents of the author's own code, not from code written to
// escape. Permissions, times and owners of files outside can be changed
// (chmod, utimes, chown), since Landlock has no right for them. Before ABI 3
// (Linux 6.2) truncate(2) is free; before ABI 2 (5.19) renaming between
// directories fails inside, too. Sockets in the file system, such as a Docker
// daemon's, can be connected to before ABI 9. Secrets in files can be read.
// When the parent dies, only the target is killed at once, not what it started.
// On other systems than Linux nothing is restricted and the level says so.
package sandbox
