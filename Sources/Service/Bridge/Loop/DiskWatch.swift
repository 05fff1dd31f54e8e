internal import Glibc
internal import Logging
internal import Store

/// Monitors free space on the database's disk: the operator is warned in time, and the last space
/// is for calls for help.
struct DiskWatch {
    private let path: String
    private let settings: BridgeSettings.Disk
    private let reserve: DiskReserve
    /// The free bytes at the last check.
    private(set) var free: Int64 = 0
    private(set) var total: Int64 = 0
    private(set) var database: Int64 = 0
    /// Whether the operator is warned.
    private(set) var isLow = false
    /// Whether only calls for help, and what belongs to them, are stored.
    private(set) var isSparing = false

    /// Space counts as low until there is a tenth more than the threshold, so that the operator is
    /// warned once.
    private static let relief = 1.1

    /// - Parameter path: the database's path.
    init(_ path: String, _ settings: BridgeSettings.Disk) {
        self.path = path
        self.settings = settings
        reserve = DiskReserve(besides: path, size: settings.reserve)
    }

    /// Checks the free space, and creates the reserve if it is missing.
    mutating func look(_ logger: Logger) {
        measure()
        warn(logger)
        guard settings.reserve > 0 else { return isSparing = false }
        if isSparing {
            guard free >= reserve.missing + 2 * settings.reserve, reserve.fill() else { return }
            isSparing = false
            measure()
            logger.notice("There is disk space again: everything is stored.")
        } else if free < settings.reserve {
            spare(logger)
        } else if free >= reserve.missing + settings.reserve {
            // Otherwise it would use the space that everything else still has.
            _ = reserve.fill()
        }
    }

    /// Releases a slice of the reserve for calls for help.
    ///
    /// - Returns: false if the reserve is used up.
    mutating func giveReserve(_ logger: Logger) -> Bool {
        guard reserve.release() else { return false }
        spare(logger)
        return true
    }

    /// Does work that cannot wait, releasing the reserve slice by slice while there is no space for
    /// it.
    ///
    /// - Throws: the body's error, once it has another cause or the reserve is used up.
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

    /// Whether an error may have occurred because the disk is full. SQLite reports this for its
    /// writes; where it shares memory with readers, or creates a file, it reports any disk error,
    /// and so does the system for other files.
    func isForWantOfRoom(_ error: any Error) -> Bool {
        let isCertain = (error as? StoreError).map { $0.cause == .diskFull } ?? false
        return isCertain || Disk(path).map { $0.free < DiskWatch.none } ?? false
    }

    /// The number of free bytes below which the disk is full: more than SQLite's memory shared with
    /// readers needs.
    private static let none: Int64 = 256 << 10

    private mutating func spare(_ logger: Logger) {
        guard !isSparing else { return }
        isSparing = true
        logger.error(
            """
            The disk is full: only calls for help and related data are stored until there \
            is space. Everything else waits at the broker or is rejected.
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
        // The database may be on a server.
        if let disk = Disk(path) ?? Disk(DatabaseFiles(path).directory) {
            (free, total) = (disk.free, disk.total)
        }
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
