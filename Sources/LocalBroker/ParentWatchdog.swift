/// The shell script between us and Mosquitto: Mosquitto does not outlive its owner.
///
/// The shell becomes Mosquitto (same process, so signals and the exit status are Mosquitto's
/// own) after it has left a watcher behind. The watcher reads from a pipe whose other end only
/// the owner holds: it ends when the owner closes it, or when the kernel does so because the
/// owner is gone, even by SIGKILL. The kernel's own way, `PR_SET_PDEATHSIG`, follows the
/// *thread* that started the process, and Swift's threads come and go.
enum ParentWatchdog {
    /// Arguments for `sh`.
    static func arguments(executable: String, configuration: String) -> [String] {
        ["-c", script, "mosquitto", executable, configuration]
    }

    /// Before each signal the watcher asks whether Mosquitto is still its parent: nobody else
    /// who got the same process identifier since then is hit.
    private static let script = #"""
        exec 3<&0
        (
            while read -r line; do :; done
            signal() { read -r _ _ _ parent _ </proc/self/stat && [ "$parent" = $$ ] && kill "-$1" $$; }
            signal TERM || exit
            for second in 1 2 3 4 5 6 7 8 9 10; do sleep 1; signal 0 || exit; done
            signal KILL
        ) <&3 3<&- >/dev/null 2>&1 &
        exec "$1" -c "$2" </dev/null 3<&-
        """#
}
