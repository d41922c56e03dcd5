// Package sandbox starts processes that cannot do harm outside their own
// directories. A variant runs with a negated branch, which may be the one that
// kept the code from deleting a home directory, and a pull request's tests may
// be written to escape. docs/security.md has the threat model, and a table of
// what happened when package internal/hostile tried.
//
// # How
//
// The parent starts its own executable again as a keeper ([Command]), which package keeper
// describes: it arranges namespaces, restricts one thread, starts the target from it, and stays to keep
// watch. What was given up cannot be taken back by
// the target or by any process that it starts.
//
//   - Landlock: files are written, created, renamed and removed only below
//     Policy.Writable and Policy.Temp, and on /dev/null and its like. Reading
//     and executing are free. Where the kernel knows how (ABI 6), signals and
//     abstract sockets reach no process outside either.
//   - Namespaces, for network, mounts, processes and System V's shared memory.
//     The network is a loopback interface of its own: tests that listen on
//     127.0.0.1 or ::1 work, everything else is unreachable. All mounts are
//     read-only but the writable paths, so that permissions, owners, times and
//     attributes outside are fixed, too. Paths stay what they are. The temporary
//     folder is a file system in memory of limited size, and so is /tmp, where many
//     programs write without asking for it: of what stands there, the target sees
//     what its arguments, its environment and its own paths name. /proc shows the
//     target's own processes only. For users other than root a user namespace
//     comes with them, in which they keep their ids; some systems forbid it
//     (Ubuntu 24.04 by AppArmor, containers by seccomp).
//   - Capabilities: none are left, and no program gives new ones
//     (no_new_privs).
//   - System calls: no further namespaces, no io_uring, no kernel keyrings, no
//     typing into the terminal, and no sockets but those of the Internet, of
//     netlink and of the file system.
//   - Sockets in the file system: before Landlock ABI 9 there is no right for
//     them, so the kernel asks the keeper about each connection (seccomp's user
//     notification), and the keeper makes it if the socket is below a writable
//     path.
//   - Limits: no core dumps; the data segment, the size of files, the temporary
//     folder and the number of processes where the policy asks for it.
//   - An end: what the target started ends with it, daemons included. With a
//     namespace of processes the kernel sees to it; elsewhere the keeper adopts
//     them (PR_SET_CHILD_SUBREAPER) and kills them. It also ends when the
//     parent ends.
//
// [Probe] tells which level the machine allows, by trying it: a child has to
// fail where it must and to succeed where it should. What a level leaves open
// is named ([Gaps]). [ScrubEnv] and [BuildEnv] leave of an environment what tests
// and builds need.
//
// # What tests may miss
//
//   - Root without capabilities: tests cannot chown, mknod, mount, bind ports
//     below 1024 outside a network namespace, or open files of other users that
//     those keep to themselves. What the parent has prepared belongs to root and
//     stays readable.
//   - Datagram sockets of the family AF_UNIX (syslog, sd_notify): each of their
//     messages can name another receiver, which the filter does not see.
//     Abstract sockets, without a network namespace. A server sees the keeper's
//     process number as its peer's. None of this from Landlock ABI 9 on, which
//     has not been tried; [Policy].Sockets leaves all of them as they are.
//   - With namespaces, the temporary folder is another file system than the
//     rest: no renaming between them. Without namespaces, /tmp cannot be written to.
//   - Sockets in /tmp itself cannot be connected to.
//   - 32-bit programs on a 64-bit kernel have no sockets on amd64, since theirs
//     are made by a call whose arguments stand in memory.
//
// # What it cannot do
//
// Whatever the user may read can be read, secrets in files among it. Memory
// that is shared or belongs to no file (memfd) is not limited. Without
// namespaces, permissions, times and owners of files outside can be changed,
// since Landlock has no right for them; the temporary folder is counted four
// times a second instead of being bounded, without files that have no name any
// more; and where the kernel has no ABI 6, a target can end its keeper and leave
// daemons. A named pipe in a folder of /tmp that the environment names can be
// written to with namespaces. Before ABI 3 (Linux 6.2) truncate(2) is free without namespaces;
// before ABI 2 (5.19) renaming between directories fails inside, too. A hole in
// the kernel is a hole in the sandbox. On other systems than Linux nothing is
// restricted and the level says so.
package sandbox
