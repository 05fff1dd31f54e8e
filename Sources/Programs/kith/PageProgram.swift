import Bridge
import Contract
import Glibc
import Logging
import ServiceLifecycle
import Web

/// The page as a separate process: `kith web`, and a part of `kith up`.
struct PageProgram {
    let options: DataOptions
    let settings: WebSettings
    var isPart = false

    func run() async throws {
        PageProgram.giveWay()
        let logger = try await options.logger("kith")
        let pulse = Pulse("the page")
        let notifier = SystemdNotifier([pulse], isPart: isPart) { await pulse.beatOnceAnswered() }
        var shown = settings
        shown.isStandingBy = { [path = options.databasePath] in
            guard case .bridge(let note?) = BridgeNote.holder(besides: path) else { return false }
            return note.isStandingBy
        }
        let web = try Web(
            shown, version: kithVersion, commit: kithCommit ?? "development", logger: logger
        ) { port in
            pulse.beat(isServing: true)
            logger.info("The page is at \(settings.address(port))")
            notifier.report(port: port)
        }
        for fault in web.faults {
            logger.error("\(fault) The page runs without it and tries again.")
        }
        var services: [any Service] = [web]
        if settings.server.certificate != nil, !HangUp.isEnd {
            services.append(
                Reload(notifier: notifier) {
                    do throws(WebError) {
                        try web.reloadCertificate()
                    } catch {
                        logger.error("The page keeps its current certificate. \(error)")
                    }
                })
        } else {
            HangUp.ignoreIfNoEnd()
        }
        if isPart { PageProgram.beFirstToEndWhenMemoryIsShort() }
        try await HangUp.group(services + [notifier], logger).run()
    }

    /// Strangers decide how much processor time the page takes: the bridge and the broker come
    /// first. This reaches all threads of a process group (setpriority(2), which says so of
    /// processes), so it is done only if that is the page's own: under `kith up`, systemd and a
    /// shell.
    private static func giveWay() {
        guard getpgrp() == getpid() else { return }
        _ = setpriority(__priority_which_t(PRIO_PGRP.rawValue), 0, niceness)
    }

    /// A thread of the page gets a third of the bridge thread's time, if both have work.
    private static let niceness: Int32 = 5

    /// Strangers decide how much memory the page takes, and the bridge and the broker work without
    /// it: of these three the kernel is to end the page (proc(5), oom_score_adj).
    private static func beFirstToEndWhenMemoryIsShort() {
        let file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        let adjustment = Array("500".utf8)
        write(file, adjustment, adjustment.count)
    }
}

extension WebSettings {
    /// Returns the URL of the page.
    func address(_ port: Int) -> String {
        server.origin ?? "http://\(server.address):\(port)/"
    }
}
