import Foundation
import Glibc
import Subprocess
import Synchronization
import SystemPackage

/// What runs of Debian's Chromium.
public enum BrowserBuild: Sendable {
    /// Without window drawing, which takes a quarter less of the processor's time. It shows no
    /// notifications.
    case headlessShell
    /// As people have it, headless.
    case full

    /// As a shell finds it. The full one takes the place of a headless shell that is not installed.
    fileprivate var command: String {
        switch self {
        case .headlessShell: "$(command -v chromium-headless-shell || echo chromium)"
        case .full: "chromium"
        }
    }
}

/// Debian's Chromium, headless, in a process group of its own.
final class BrowserProcess: Sendable {
    private final class Journal: Sendable {
        /// Set once it runs.
        let process = Mutex<pid_t?>(nil)
    }

    private let journal = Journal()
    private let directory: String

    /// - Parameter directory: contains the pipes `in` and `out`; all other files are also
    ///   written there.
    init(_ build: BrowserBuild, in directory: String) {
        precondition(
            ProcessInfo.processInfo.environment["KITH_TESTS"] != "pure",
            "a test that starts a browser imports Browser by itself")
        self.directory = directory
        Task { [journal] in
            var options = PlatformOptions()
            options.processGroupID = 0
            // How it ends does not matter: the wire ends with it.
            _ = try? await Subprocess.run(
                .name("sh"), arguments: Arguments(BrowserProcess.arguments(build, directory)),
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

    private static func arguments(_ build: BrowserBuild, _ directory: String) -> [String] {
        [
            "-c", "exec \(build.command) " + #""$@" 3<"$0/in" 4>"$0/out" >"$0/log" 2>&1"#,
            directory,
            "--headless=new", "--remote-debugging-pipe", "--user-data-dir=\(directory)/profile",
            // Tests may run as root, and the pages are our own.
            "--no-sandbox",
            "--disable-gpu", "--disable-dev-shm-usage", "--disable-breakpad", "--mute-audio",
            "--accept-lang=en-IE", "--no-first-run", "--no-default-browser-check",
            "--disable-extensions",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--disable-default-apps", "--password-store=basic",
            // Pages in the background run as if they were visible.
            "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
            "--disable-backgrounding-occluded-windows", "--hide-scrollbars", "about:blank",
        ]
    }

    /// The end of its output, for a failure's message.
    var lastWords: String {
        let log = (try? String(contentsOfFile: "\(directory)/log", encoding: .utf8)) ?? ""
        return log.split(separator: "\n").suffix(5).joined(separator: "\n")
    }

    /// Kills it and all its children at once.
    func kill() {
        if let process = journal.process.withLock({ $0 }) { Glibc.kill(-process, SIGKILL) }
    }
}
