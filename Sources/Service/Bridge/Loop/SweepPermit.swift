internal import Clocks
internal import Logging
internal import Store
internal import Tracking

/// Whether the server's clock is trusted, with the related log messages.
struct SweepPermit {
    /// The last trusted time, in its file; nil if nothing outlives the process.
    var knownTime: LastTrustedTime?
    /// Whether a time server has set the clock, according to the kernel.
    var isSynchronised: () -> Bool = { false }
    /// Nil before the first check.
    private var trust: ClockTrust?

    var doubt: ClockTrust.Doubt? { trust?.doubt }

    /// Whether data that is old by this clock may be deleted: a clock that is behind makes nothing
    /// appear too old.
    var isGranted: Bool { doubt.map(\.isBehind) ?? true }

    mutating func look(
        at moment: ClockReading, phones: ClockWitnesses.Verdict, _ engine: Engine,
        _ logger: Logger
    ) throws(StoreError) {
        var trust = try judge(at: moment, engine)
        defer { self.trust = trust }
        switch trust.look(at: moment, phones: phones, isSynchronised: isSynchronised) {
        case .believed:
            if doubt != nil { logger.notice("The clock is trusted again.") }
            note(moment.wall, logger)
        case .doubted(.ahead(let ahead), isNew: true):
            logger.error(
                """
                The clock is more than a day ahead of when the bridge last ran: nothing is deleted \
                because of its age until the clock has run for another day. If the clock is wrong, \
                set it.
                """, metadata: ["hours": "\(ahead.milliseconds / 3_600_000)"])
        case .doubted(.behind(let lag), isNew: true):
            logger.error(
                """
                The clock is behind when the bridge last ran, or behind most phones. If it \
                is wrong, set it: until then times are wrong, and timers fire late. \
                Positions and calls for help are accepted.
                """, metadata: ["minutes": "\(lag.milliseconds / 60_000)"])
        case .doubted: break
        }
    }

    private func judge(at moment: ClockReading, _ engine: Engine) throws(StoreError) -> ClockTrust {
        if let trust { return trust }
        if let known = knownTime?.last { return ClockTrust(known: known, steady: moment.steady) }
        return ClockTrust(known: try engine.newestReception(), steady: moment.steady)
    }

    private mutating func note(_ time: Timestamp, _ logger: Logger) {
        do throws(BridgeError) {
            try knownTime?.note(time)
        } catch {
            logger.warning("\(error)")
        }
    }
}
