internal import Clocks
internal import Logging
internal import Store
internal import Tracking

/// Whether data that is old by the server's clock may be deleted now, and what the operator is told
/// if not.
struct SweepPermit {
    /// The last trusted time, in its file; nil if nothing outlives the process.
    var knownTime: LastTrustedTime?
    /// Nil before the first check.
    private var trust: ClockTrust?

    var isDoubtful: Bool { trust?.isDoubtful ?? false }

    mutating func isGranted(at moment: ClockReading, _ engine: Engine, _ logger: Logger)
        throws(StoreError) -> Bool
    {
        var trust = try judge(at: moment, engine)
        defer { self.trust = trust }
        switch trust.look(at: moment) {
        case .believed:
            if isDoubtful { logger.notice("The clock is trusted again.") }
            note(moment.wall, logger)
            return true
        case .doubted(let ahead, let isNew):
            guard isNew else { return false }
            logger.error(
                """
                The clock is more than a day ahead of when the bridge last ran: nothing is deleted \
                because of its age until the clock has run for another day. If the clock is wrong, \
                set it.
                """, metadata: ["hours": "\(ahead.milliseconds / 3_600_000)"])
            return false
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
