internal import Glibc
internal import Logging
internal import Store

/// Watches the room on the disk with the database: the operator is warned in time, and what is left
/// at the end is for calls for help.
struct DiskWatch {
    private let path: String
    private let settings: BridgeSettings.Disk
    private let reserve: DiskReserve
    /// In bytes, at the last look.
    private(set) var free: Int64 = 0
    private(set) var total: Int64 = 0
    private(set) var database: Int64 = 0
    /// Whether the operator is warned.
    private(set) var isLow = false
    /// Whether only calls for help, and what belongs to them, are stored.
    private(set) var isSparing = false

    /// It is not low any longer with a tenth more room than when it was, so that it is told once.
    private static let relief = 1.1

    /// - Parameter path: of the database.
    init(_ path: String, _ settings: BridgeSettings.Disk) {
        self.path = path
        self.settings = settings
        reserve = DiskReserve(besides: path, size: settings.reserve)
    }

    /// Looks how much room there is, and makes the reserve if it is not there.
    mutating func look(_ logger: Logger) {
        measure()
        warn(logger)
        guard settings.reserve > 0 else { return isSparing = false }
        if isSparing {
            guard free >= reserve.missing + 2 * settings.reserve, reserve.fill() else { return }
            isSparing = false
            measure()
            logger.notice("There is room on the disk again: everything is stored.")
        } else if free < settings.reserve {
            spare(logger)
        } else if free >= reserve.missing + settings.reserve {
            // Otherwise it would take the room that everything else still has.
            _ = reserve.fill()
        }
    }

    /// Gives a slice of the reserve to calls for help.
    ///
    /// - Returns: false if nothing is left of it.
    mutating func giveReserve(_ logger: Logger) -> Bool {
        guard reserve.release() else { return false }
        spare(logger)
        return true
    }

    /// Does what cannot wait, with one slice of the reserve after the other where there is no room
    /// for it.
    ///
    /// - Throws: what the body throws, once that is for another reason or nothing is left.
    mutating func makingRoom<Value>(_ logger: Logger, for body: () throws -> Value) throws -> Value
    {
        while true {
            do {
                return try body()
            } catch {
                guard isForWantOfRoom(error), giveReserve(logger) else { throw error }
            }
        }
    }

    /// Whether something may have failed because the disk is full. SQLite says so of what it writes;
    /// where it shares memory with readers, or makes a file, it reports any error of the disk, and
    /// so does the system of other files.
    func isForWantOfRoom(_ error: any Error) -> Bool {
        let isCertain = (error as? StoreError).map { StorageFailure($0) == .diskFull } ?? false
        return isCertain || Disk(path).map { $0.free < DiskWatch.none } ?? false
    }

    /// With less free than this, in bytes, there is no room: more than the memory that SQLite
    /// shares with readers takes.
    private static let none: Int64 = 256 << 10

    private mutating func spare(_ logger: Logger) {
        guard !isSparing else { return }
        isSparing = true
        logger.error(
            """
            The disk is full: only calls for help and what belongs to them are stored until there \
            is room. Everything else waits at the broker, or is refused.
            """)
    }

    private mutating func warn(_ logger: Logger) {
        if free < settings.warnBelow {
            guard !isLow else { return }
            isLow = true
            logger.warning(
                "The disk is filling up.", metadata: ["free-bytes": "\(free)"])
        } else if Double(free) >= Double(settings.warnBelow) * DiskWatch.relief {
            isLow = false
        }
    }

    private mutating func measure() {
        if let disk = Disk(path) { (free, total) = (disk.free, disk.total) }
        var file = stat()
        if stat(path, &file) == 0 { database = Int64(file.st_size) }
    }

    /// The values by metric name.
    var metrics: [String: Int64] {
        [
            "disk-free-bytes": free, "disk-total-bytes": total, "database-bytes": database,
            "disk-low": isLow ? 1 : 0, "disk-sparing": isSparing ? 1 : 0,
        ]
    }
}
