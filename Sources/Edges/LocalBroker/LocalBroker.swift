internal import FoundationEssentials
internal import Glibc
public import Logging
internal import Supervision

/// Mosquitto as a child process, for the embedded default: one machine, one owner.
///
/// It runs as long as ``run()`` and never longer than this process. If it dies it is restarted with
/// the state that it last saved, which is a second or two old.
public struct LocalBroker: Sendable {
    public let settings: BrokerSettings
    private let logger: Logger
    private let readiness = Readiness()

    public init(_ settings: BrokerSettings, logger: Logger) {
        self.settings = settings
        self.logger = logger
    }

    /// Returns a port of the loopback address that is free at the moment.
    public static func freePort() throws(BrokerError) -> UInt16 { try ReservedPort().number }

    /// Mosquitto's process identifier; nil while it does not accept connections.
    public var processIdentifier: Int32? {
        if case .ready(let process) = readiness.state { process } else { nil }
    }

    /// Makes Mosquitto save its state, end, and start again with its current configuration and
    /// certificates. Does nothing if it does not accept connections.
    public func renew() {
        guard let processIdentifier else { return }
        readiness.noteRenewal()
        kill(processIdentifier, SIGTERM)
    }

    /// Runs until cancelled; returns when Mosquitto has saved its sessions and ended.
    ///
    /// - Throws: if it cannot be started the first time. Once it has been ready, failures are
    ///   logged and it is restarted, as is one that does not become ready.
    public func run() async throws(BrokerError) {
        try await runAgain { () throws(BrokerError) in
            do throws(BrokerError) {
                try await live()
            } catch {
                guard readiness.wasEverReady || error.isTemporary else {
                    readiness.set(.failed(error))
                    throw error
                }
                logger.error("mosquitto cannot be restarted", metadata: ["reason": "\(error)"])
            }
            readiness.set(.starting)
        }
    }

    /// Returns when Mosquitto accepts connections.
    ///
    /// - Throws: the ``BrokerError`` that ended ``run()``; `CancellationError`.
    public func waitUntilReady() async throws {
        while true {
            switch readiness.state {
            case .ready: return
            case .failed(let error): throw error
            case .starting: break
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private func run(_ mosquitto: MosquittoProcess) async throws(BrokerError)
        -> MosquittoProcess.Ending
    {
        try await mosquitto.run { process in
            readiness.set(.ready(process: process))
            logger.info("mosquitto accepts connections", metadata: ["port": "\(settings.port)"])
        }
    }

    private func live() async throws(BrokerError) {
        let mosquitto = MosquittoProcess(settings, logger: logger)
        if SavedState(directory: settings.dataDirectory).isEmpty {
            logger.error(
                "mosquitto.db is empty: the sessions that it had, and their queued messages, are lost"
            )
        }
        var ending = try await run(mosquitto)
        guard !Task.isCancelled else { return }
        if ending.couldNotRestore,
            let aside = try SavedState(directory: settings.dataDirectory).putAside(at: Date())
        {
            logger.error(
                """
                mosquitto.db is damaged and was moved aside: sessions, their queued messages, and \
                messages that the bridge had not yet read are lost; the bridge publishes retained \
                messages again
                """, metadata: ["file": "\(aside)", "reason": "\(ending.reason)"])
            ending = try await run(mosquitto)
            guard !Task.isCancelled else { return }
        }
        if readiness.takeRenewal(), ending.wasReady {
            return logger.notice("mosquitto is restarted")
        }
        guard ending.wasReady else { throw .endedAtOnce(reason: ending.reason) }
        logger.error("mosquitto ended by itself", metadata: ["reason": "\(ending.reason)"])
    }
}
