internal import Clocks
internal import Contract
public import Logging
internal import MQTT
internal import ProcessFigures
internal import Sealing
public import ServiceLifecycle
internal import Store
internal import Synchronization
internal import Tracking

/// The bridge as a service: it runs on its own thread until it is stopped.
public final class Bridge: Service {
    private let databasePath: String
    private let settings: BridgeSettings
    private let logger: Logger
    private let waker = Waker()
    private let stopped = Mutex(false)
    /// The settings as last reloaded, and whether they are not applied yet.
    private let reloaded = Mutex<(settings: BridgeSettings?, areNew: Bool)>((nil, false))
    private let onRound: @Sendable (_ isServing: Bool) -> Void

    /// - Parameters:
    ///   - databasePath: the file is created if it does not exist.
    ///   - onRound: called on the bridge's thread in each round of its loop, whatever it is doing,
    ///     with whether the broker permits everything that the bridge has to do.
    public init(
        databasePath: String, _ settings: BridgeSettings, logger: Logger,
        onRound: @escaping @Sendable (_ isServing: Bool) -> Void = { _ in }
    ) {
        self.databasePath = databasePath
        self.settings = settings
        self.logger = logger
        self.onRound = onRound
    }

    /// Applies settings that can change at runtime (``BridgeSettings/reloadableKeys``) before
    /// the next turn.
    public func reload(_ settings: BridgeSettings) {
        reloaded.withLock { $0 = (settings, true) }
        waker.wake()
    }

    private func takeNewSettings() -> BridgeSettings? {
        reloaded.withLock { reloaded in
            defer { reloaded.areNew = false }
            return reloaded.areNew ? reloaded.settings : nil
        }
    }

    /// Returns after a graceful shutdown or a cancellation.
    ///
    /// - Throws: ``BridgeError`` if the database cannot be opened, or another bridge uses it.
    public func run() async throws {
        try await withTaskCancellationHandler {
            try await withGracefulShutdownHandler {
                try await onThread(named: "bridge") { try self.runToTheEnd() }
            } onGracefulShutdown: {
                self.stop()
            }
        } onCancel: {
            self.stop()
        }
    }

    private var address: DatabaseAddress {
        DatabaseAddress(databasePath, server: settings.databaseServer)
    }

    private var isOnServer: Bool { settings.databaseServer != nil }

    private func stop() {
        stopped.withLock { $0 = true }
        waker.wake()
    }

    private func runToTheEnd() throws {
        let lock = try lock()
        try withExtendedLifetime(lock) {
            var isFirst = true
            while try isOnServer ? isNext(lock, isFirst: isFirst) : true {
                isFirst = false
                do {
                    return try decide(lock)
                } catch let error as BridgeError where error == .superseded {
                    logger.warning("Another bridge decides now.")
                } catch let error as BridgeError where error == .interrupted {
                    logger.warning("The database cannot be reached; the bridge tries again.")
                    waker.wait(atMost: Bridge.pause)
                }
            }
        }
    }

    /// Waits while another bridge decides.
    ///
    /// - Returns: false if the bridge is to stop.
    private func isNext(_ lock: BridgeLock, isFirst: Bool) throws -> Bool {
        let standby = Standby(address, logger, waker, isFirst: isFirst) { isReady in
            self.onRound(isReady)
            return self.stopped.withLock { $0 }
        }
        return try standby.isNext { [logger] in
            logger.notice("Another bridge decides: standing by.")
            lock.note(BridgeNote.own(at: .now, isStandingBy: true).line)
        }
    }

    /// In milliseconds.
    private static let pause: Int32 = 1_000

    /// - Throws: ``BridgeError/superseded`` or ``BridgeError/interrupted`` if it is to stand by.
    private func decide(_ lock: BridgeLock) throws {
        var settings = reloaded.withLock { $0.settings } ?? settings
        settings.databaseServer = address.server
        var files = DatabaseFiles(databasePath, isUsed: !isOnServer)
        var disk = DiskWatch(databasePath, settings.disk)
        let engine: Engine
        let record: TurnRecord
        do {
            if !isOnServer, try files.finishRestore() {
                logger.warning(
                    """
                    An interrupted restore has been completed. Calls for help since that \
                    backup may be lost: ask people whether they need help.
                    """)
            }
            if !isOnServer { try files.check() }
            lock.note(BridgeNote.own(at: .now).line)
            if !isOnServer {
                let earlier = EarlierCopy(of: address)
                // Reading may need a little of the disk reserve; the copy does not use it.
                _ = try disk.makingRoom(logger) { try earlier.schemaBefore() }
                try earlier.make(logger)
            }
            (engine, record) = try disk.makingRoom(logger) { try open(&files, &settings) }
            disk.look(logger)
            FreedMemory.giveBack()
        } catch let error as StoreError {
            if error.cause == .superseded { throw BridgeError.superseded }
            // Someone else may have been about to decide.
            if isOnServer, [.unreachable, .locked].contains(error.cause) {
                throw BridgeError.interrupted
            }
            throw BridgeError(error)
        }
        let loop = BridgeLoop(
            engine, files, settings, logger: logger, waker: waker,
            isStopped: { self.stopped.withLock { $0 } })
        loop.onWait = { isServing in self.onRound(isServing) }
        loop.onRound = { [unowned loop] isServing in
            self.onRound(isServing)
            if let new = self.takeNewSettings() { loop.turnLoop.takeOver(new) }
        }
        loop.turnLoop.record = record
        let lastTime = LastTrustedTime(besides: databasePath)
        loop.turnLoop.sweepPermit.knownTime = lastTime
        loop.turnLoop.sweepPermit.isSynchronised = { KernelClock.isSynchronised ?? false }
        loop.turnLoop.lastBackup = LastBackup(besides: databasePath)
        loop.turnLoop.disk = disk
        loop.turnLoop.ofProcess = { ProcessFigures().metrics(of: .bridge) }
        try loop.run()
        emptyLog(of: engine)
    }

    /// Opens the database and the files beside it that the bridge needs; can be retried if it
    /// fails.
    private func open(_ files: inout DatabaseFiles, _ settings: inout BridgeSettings) throws
        -> (Engine, TurnRecord)
    {
        let store = try Store.open(address, at: .now, decides: true) { self.onRound(false) }
        try store.beginDeciding(as: Standby.ownName, kithVersion, at: .now)
        if try files.closeToOthers() {
            logger.warning(
                "Other users of this machine could read the database's files; that has been corrected."
            )
        }
        files.noteIdentity()
        let token = try SystemTokens(besides: databasePath).prepare(store)
        if settings.broker.username == nil {
            settings.broker.username = token.username
            settings.broker.password = token.text
        }
        if settings.sealingKeys == nil {
            settings.sealingKeys = try sealingKeys(store)
        }
        try offerEnvelopeKey(store, settings)
        return (try Engine(store, settings), try TurnRecord(besides: databasePath))
    }

    /// The vital-signs keys; created at the first start.
    private func sealingKeys(_ store: Store) throws -> SealingKeys? {
        let file = SealingKeyFile(besides: databasePath)
        if let keys = try file.read() { return keys }
        let known = try store.transaction { try $0.newestKeyOfVitals() }
        if known > 0 {
            logger.warning(
                "The keys of stored vital signs are missing: they cannot be read until the file keys/vitals is restored."
            )
        }
        try file.add(after: known)
        return try file.read()
    }

    /// Stores the encryption key for the broker's plugin, which reads it when the bridge connects.
    private func offerEnvelopeKey(_ store: Store, _ settings: BridgeSettings) throws(StoreError) {
        guard let key = settings.sealingKeys?.envelopeKey?.bytes else { return }
        try store.transaction { transaction in
            guard try transaction.serviceKey(Transaction.envelopeKeyName) != key else { return }
            try transaction.setServiceKey(Transaction.envelopeKeyName, key)
        }
    }

    /// Acquires the lock. An operator command may hold it briefly if no bridge was running.
    private func lock() throws(BridgeError) -> BridgeLock {
        let deadline = ContinuousClock.now + Bridge.lockPatience
        while true {
            if let lock = try BridgeLock(besides: databasePath) { return lock }
            guard ContinuousClock.now < deadline, !stopped.withLock({ $0 }) else {
                throw BridgeError("Another bridge is using this database.")
            }
            waker.wait(atMost: 50)
        }
    }

    private static let lockPatience = Duration.seconds(2)

    /// Releases a slice of the disk space reserved for calls for help, so that they can be stored.
    ///
    /// - Returns: false if the reserve is used up.
    public static func makeRoom(besides databasePath: String, _ settings: BridgeSettings) -> Bool {
        DiskReserve(besides: databasePath, size: settings.disk.reserve).release()
    }

    /// Leaves a single file that can be copied, once the bridge and all database readers have
    /// ended: the last connection to close removes the files beside the database, unless it is
    /// read-only.
    public static func leaveOneFile(_ databasePath: String, _ settings: BridgeSettings) {
        guard settings.databaseServer == nil else { return }
        do {
            guard let lock = try BridgeLock(besides: databasePath) else { return }
            try DatabaseFiles(databasePath).check(mayBegin: false)
            try withExtendedLifetime(lock) { try Store.close(databasePath) }
        } catch {
            // The database file is complete anyway; otherwise the bridge has logged it.
        }
    }

    /// Makes the database file complete by itself, so that copying it copies everything.
    private func emptyLog(of engine: Engine) {
        do throws(StoreError) {
            guard try !engine.emptyLog() else { return }
            logger.notice(
                "Part of the database is still in its write-ahead log: another program is reading it."
            )
        } catch {
            logger.warning(
                "Part of the database is still in its write-ahead log.",
                metadata: ["reason": "\(error)"])
        }
    }
}
