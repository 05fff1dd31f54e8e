import Contract
import Glibc
import MQTT
import Store
import Tracking

/// Watches everything that happens and reports violations.
final class Oracles {
    unowned let world: World
    let shadow: Shadow
    let reader: Store
    let policy: AccessPolicy
    /// The first violation found; the world then stops.
    private(set) var failure: Failure?

    // The content of the disk.
    var storedFixes: Set<StoredFix> = []
    /// Devices whose clocks have been corrected.
    var correctedDevices: Set<Int64> = []

    // The rights that the database grants now.
    var access: [Name: UserAccess] = [:]
    private var lastAccessChange: Int64 = -1
    /// When each user's rights last changed.
    var changedAt: [Name: Duration] = [:]
    /// When group observers were ended.
    var observerEndedAt: [UUIDv7: Duration] = [:]
    var deviceIDs: [DeviceKey: Int64] = [:]

    private(set) lazy var passage = PassageOracle(self)
    /// Messages that the bridge has read but not acknowledged.
    var unacknowledged: [Delivery: Message] = [:]

    /// A packet's identity: packets are counted per connection.
    struct Delivery: Hashable {
        let client: String
        let packet: UInt16
    }
    var secrets: [[UInt8]] = []

    struct StoredFix: Hashable {
        let device: Int64
        let takenAt: Int64
    }

    struct DeviceKey: Hashable {
        let user: Name
        let device: Name
    }

    init(_ world: World, _ reader: Store, _ shadow: Shadow) {
        self.world = world
        self.reader = reader
        self.shadow = shadow
        policy = AccessPolicy(world.topics)
    }

    func fail(_ oracle: String, _ description: String) {
        if failure == nil { failure = Failure(oracle, description) }
        world.trace.note("FAILURE \(oracle): \(description)")
    }

    // MARK: Commits

    /// The beginnings of the statements that are watched.
    static let statements = ["INSERT INTO fixes ", observerEnd]

    func committed(_ rows: [Written]) {
        for row in rows where row.begins(with: Oracles.observerEnd) { noteEnd(ofObserver: row) }
        for row in rows where row.begins(with: Oracles.statements[0]) {
            guard let device = row.integer(1), let takenAt = row.integer(2) else { continue }
            if !storedFixes.insert(StoredFix(device: device, takenAt: takenAt)).inserted {
                fail("stored once", "device \(device) has two fixes taken at \(takenAt)")
            }
        }
        refreshRights()
        for area in world.areas { area.committed(rows) }
    }

    private func refreshRights() {
        do {
            try reader.transaction { transaction in
                let last = try transaction.lastAccessChange()
                guard last != lastAccessChange else { return }
                lastAccessChange = last
                var now: [Name: UserAccess] = [:]
                var changes: [(Name, UserAccess?)] = []
                for user in try transaction.users() {
                    now[user.name] = try transaction.access(of: user.name)
                    for device in try transaction.devices(of: user.id) {
                        let key = DeviceKey(user: user.name, device: device.name)
                        deviceIDs[key] = device.id.rawValue
                    }
                }
                for name in Set(now.keys).union(access.keys).sorted()
                where now[name] != access[name] {
                    changedAt[name] = world.steady
                    changes.append((name, now[name]))
                    if now[name] == nil { forget(name) }
                }
                access = now
                for area in world.areas { try area.rightsChanged(changes, in: transaction) }
                // Users who no longer receive anything.
                for phone in world.phones where !phone.isLoggedIn {
                    phone.forgetSubscriptions(after: .zero)
                }
            }
        } catch {
            fail("readable", "the database cannot be read: \(error)")
        }
    }

    /// Forgets a deleted user.
    private func forget(_ name: Name) {
        for (key, id) in deviceIDs where key.user == name {
            deviceIDs[key] = nil
            storedFixes = storedFixes.filter { $0.device != id }
        }
    }

    /// Looks up a device's id; devices can be added without a change of rights.
    func deviceID(_ key: DeviceKey) -> Int64? {
        if let known = deviceIDs[key] { return known }
        do {
            try reader.transaction { transaction in
                guard let user = try transaction.user(key.user) else { return }
                for device in try transaction.devices(of: user.id) {
                    deviceIDs[DeviceKey(user: key.user, device: device.name)] =
                        device.id.rawValue
                }
            }
        } catch {
            fail("readable", "the database cannot be read: \(error)")
        }
        return deviceIDs[key]
    }

    /// Reads the database as it is now; nil if that fails, which is a violation.
    func read<Value>(_ body: (Transaction) throws -> Value) -> Value? {
        do {
            return try reader.transaction(body)
        } catch {
            fail("readable", "the database cannot be read: \(error)")
            return nil
        }
    }

    // MARK: Secrets

    func keepSecret(_ text: String) { secrets.append(Array(text.utf8)) }

    /// Checks the values bound to a statement.
    func wrote(_ values: [SQLValue]) {
        for value in values {
            switch value {
            case .text(let text) where holdsSecret(Array(text.utf8)):
                fail("secrets", "a password or a token was written to the database")
            case .blob(let bytes) where bytes.count <= 100_000 && holdsSecret(bytes):
                fail("secrets", "a password or a token was written to the database")
            default: break
            }
        }
    }

    func holdsSecret(_ payload: [UInt8]) -> Bool {
        payload.withUnsafeBytes { payload in
            secrets.contains { Oracles.find($0, in: payload) }
        }
    }

    /// Searches for `text`; fast even in unoptimised builds.
    private static func find(_ text: [UInt8], in payload: UnsafeRawBufferPointer) -> Bool {
        guard let first = text.first, var start = payload.baseAddress else { return false }
        let end = start + payload.count
        while end - start >= text.count,
            let place = memchr(start, Int32(first), end - start - text.count + 1)
        {
            if memcmp(place, text, text.count) == 0 { return true }
            start = UnsafeRawPointer(place) + 1
        }
        return false
    }
}
