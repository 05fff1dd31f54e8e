internal import Clocks
internal import MQTT
internal import Store
internal import Tracking

/// A full disk: the remaining space is for calls for help.
extension TurnLoop {
    /// The time since which all messages have been received. While fixes wait at the broker,
    /// silence proves nothing.
    func heardSince(at now: Timestamp) -> Timestamp {
        sparingSince == nil ? listeningSince ?? now : now + TurnLoop.never
    }

    /// Longer than any timeout.
    static let never = Duration.seconds(365 * 86_400)

    /// Starts or stops storing only calls for help and related data; to be called without a
    /// connection.
    ///
    /// - Returns: whether only these are stored from now on.
    func chooseSparing(at moment: ClockReading) -> Bool {
        guard let disk else { return false }
        if disk.isSparing != (sparingSince != nil) {
            sparingSince = disk.isSparing ? moment.wall : nil
            engine.keepLogSmall(disk.isSparing)
        }
        return disk.isSparing
    }

    /// Takes overheard messages; they stay at the broker.
    func takeOverheard(atMost limit: Int) -> [Message] {
        defer { overheard.removeFirst(min(limit, overheard.count)) }
        return Array(overheard.prefix(limit))
    }

    /// Makes room for calls for help if the error may be due to lack of disk space.
    ///
    /// - Returns: whether they can be stored now.
    func makesRoom(after error: StoreError) -> Bool {
        disk?.isForWantOfRoom(error) == true && giveReserve()
    }

    /// Makes room on a full disk for calls for help.
    ///
    /// - Returns: whether they can be stored now.
    func giveReserve() -> Bool {
        while disk?.giveReserve(logger) == true {
            do throws(StoreError) {
                _ = try engine.emptyLog()
                try engine.probe()
                return true
            } catch {
                // The next slice may suffice.
            }
        }
        return false
    }
}

extension Engine {
    /// The size of the database's write-ahead log, in bytes.
    var logBytes: Int64 { store.logBytes }

    /// Sets whether the write-ahead log is kept small.
    func keepLogSmall(_ isSmall: Bool) { store.keepLogSmall(isSmall) }

    /// Checkpoints the write-ahead log into the database, for an orderly shutdown or a full disk.
    ///
    /// - Returns: false if another program is reading at the time.
    func emptyLog() throws(StoreError) -> Bool { try store.emptyLog() }

    /// See ``Store/emptyLogInSteps()``.
    func emptyLogInSteps() -> Bool { store.emptyLogInSteps() }
}
