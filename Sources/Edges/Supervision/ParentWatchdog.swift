/// The shell script between us and a child process, which ensures that the child does not outlive
/// its owner.
///
/// The shell leaves a watcher behind and then becomes the child (the same process, so signals and
/// the exit status are the child's own). The watcher reads from a pipe whose other end only the
/// owner holds: it reaches the end when the owner closes the pipe, or when the kernel does so
/// because the owner is gone, even by SIGKILL. The kernel's own mechanism, `PR_SET_PDEATHSIG`, is
/// tied to the *thread* that started the process, and Swift's threads come and go.
package enum ParentWatchdog {
    /// The arguments for `sh`, whose standard input is that pipe.
    package static func arguments(_ command: [String]) -> [String] {
        ["-c", script, "sh"] + command
    }

    /// Before each signal the watcher checks that the child is still its parent, so as not to hit
    /// another process that has been given the same process identifier since.
    private static let script = #"""
        exec 3<&0
        (
            while read -r line; do :; done
            signal() { read -r _ _ _ parent _ </proc/self/stat && [ "$parent" = $$ ] && kill "-$1" $$; }
            signal TERM || exit
            for second in 1 2 3 4 5 6 7 8 9 10; do sleep 1; signal 0 || exit; done
            signal KILL
        ) <&3 3<&- >/dev/null 2>&1 &
        exec "$@" </dev/null 3<&-
        """#
}
