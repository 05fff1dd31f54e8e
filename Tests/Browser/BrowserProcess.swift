import Foundation
import Glibc
import Subprocess
import Synchronization
import SystemPackage

/// Debian's Chromium, without a window, in a process group of its own.
final class BrowserProcess: Sendable {
    private final class Journal: Sendable {
        /// Once it runs.
        let process = Mutex<pid_t?>(nil)
    }

    private let journal = Journal()
    private let directory: String

    /// - Parameter directory: has the pipes `in` and `out`; everything else it writes goes there.
    init(in directory: String) {
        precondition(
            ProcessInfo.processInfo.environment["KITH_TESTS"] != "pure",
            "a test that starts a browser imports Browser by itself")
        self.directory = directory
        Task { [journal] in
            var options = PlatformOptions()
            options.processGroupID = 0
            // How it ends nobody asks: the wire ends with it.
            _ = try? await Subprocess.run(
                .name("sh"), arguments: Arguments(BrowserProcess.arguments(directory)),
                environment: .inherit.updating([
                    "HOME": directory, "TMPDIR": directory, "TZ": "UTC", "LANG": "C.UTF-8",
                ]),
                platformOptions: options, input: .none, output: .discarded, error: .discarded
            ) { execution in
                let process = execution.processIdentifier.value
                journal.process.withLock { $0 = process }
            }
        }
    }

    private static func arguments(_ directory: String) -> [String] {
        [
            "-c", #"exec chromium "$@" 3<"$0/in" 4>"$0/out" >"$0/log" 2>&1"#, directory,
            "--headless=new", "--remote-debugging-pipe", "--user-data-dir=\(directory)/profile",
            // Tests may run as root, and pages are our own.
            "--no-sandbox",
            "--disable-gpu", "--disable-dev-shm-usage", "--disable-breakpad", "--mute-audio",
            "--accept-lang=en-IE", "--no-first-run", "--no-default-browser-check",
            "--disable-extensions",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--disable-default-apps", "--password-store=basic",
            // What nobody looks at goes on as if somebody did.
            "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
            "--disable-backgrounding-occluded-windows", "--hide-scrollbars", "about:blank",
        ]
    }

    /// What it wrote last, for a failure's message.
    var lastWords: String {
        let log = (try? String(contentsOfFile: "\(directory)/log", encoding: .utf8)) ?? ""
        return log.split(separator: "\n").suffix(5).joined(separator: "\n")
    }

    /// Ends it and all its children, at once.
    func kill() {
        if let process = journal.process.withLock({ $0 }) { Glibc.kill(-process, SIGKILL) }
    }
}
