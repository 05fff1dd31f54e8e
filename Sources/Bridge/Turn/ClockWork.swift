import Store
import Tracking

/// A piece of what turns do without a message that asks for it. What the process ends over, or the
/// database rejects, can be left out by itself.
struct ClockWork: Hashable {
    /// The kind in the highest byte, and which of the kind below: as it stands in ``TurnRecord``,
    /// which another version may read. Never 0.
    let rawValue: UInt64

    private enum Kind: UInt64 {
        case named = 1
        case timers, operatorRequest
    }

    init(rawValue: UInt64) { self.rawValue = rawValue }

    private init(_ kind: Kind, _ number: UInt64) {
        rawValue = kind.rawValue << 56 | number & 0xFF_FFFF_FFFF_FFFF
    }

    private init(_ name: String) {
        var digest = FNV1a()
        digest.combine(Array(name.utf8))
        self.init(.named, digest.value)
    }

    // MARK: Areas, in the order of ``Areas/types``

    /// What an area does at the end of a turn, and when it is due: `AreaHandler.finish`, `nextDue`.
    static let finishing = ofAreas("finish")
    static let rescheduling = ofAreas("reschedule")
    static let sweeping = ofAreas("sweep")

    private static func ofAreas(_ verb: String) -> [ClockWork] {
        Areas.types.map { ClockWork("\(verb) \($0)") }
    }

    // MARK: The turn itself

    /// Deletes what erased users and closed groups left.
    static let erasing = ClockWork("erase")
    /// The part of a sweep that belongs to none of the areas.
    static let expiring = ClockWork("sweep")
    static let takingPasswords = ClockWork("passwords")
    static let takingDirectory = ClockWork("directory")
    static let takingDeliveries = ClockWork("deliveries")
    static let takingDispatch = ClockWork("dispatch")
    static let takingCohorts = ClockWork("cohorts")

    /// What is due for one person.
    static func timers(of user: UserID) -> ClockWork {
        ClockWork(.timers, UInt64(bitPattern: user.rawValue))
    }

    /// By its text: ids of requests are used again.
    static func operatorRequest(_ json: String) -> ClockWork {
        ClockWork(.operatorRequest, ClockWork(json).rawValue)
    }

    // MARK: Its name

    /// What the operator reads, which names nobody: `finish Runs`, `timers`. Nil for requests, which
    /// are answered with a problem instead, and for what another version has noted.
    var name: String? {
        switch Kind(rawValue: rawValue >> 56) {
        case .named?: ClockWork.names[self]
        case .timers?: "timers"
        case .operatorRequest?, nil: nil
        }
    }

    /// Whether calls for help, or those who hear of them, may do without something if it is left out.
    /// So may what nobody knows by name.
    var concernsCalls: Bool {
        switch Kind(rawValue: rawValue >> 56) {
        case .operatorRequest?: false
        case .named?: name.map { !ClockWork.besideCalls.contains($0) } ?? true
        case .timers?, nil: true
        }
    }

    private static let besideCalls: Set<String> = {
        let areas = [
            "Chat", "Cohorts", "Friends", "Geofences", "History", "Invitations", "Journeys",
            "Maintenance", "Places", "Reminders", "Runs", "Services", "ShareLinks",
        ]
        return Set(
            areas.map { "finish \($0)" } + Areas.types.map { "sweep \($0)" }
                + ["erase", "sweep", "passwords", "directory", "cohorts"])
    }()

    private static let names: [ClockWork: String] = {
        var names: [ClockWork: String] = [:]
        for verb in ["finish", "reschedule", "sweep"] {
            for area in Areas.types { names[ClockWork("\(verb) \(area)")] = "\(verb) \(area)" }
        }
        for name in [
            "erase", "sweep", "passwords", "directory", "deliveries", "dispatch", "cohorts",
        ] {
            names[ClockWork(name)] = name
        }
        return names
    }()
}

extension Turn {
    /// Notes that the work begins.
    ///
    /// - Returns: whether it is to be done; false if it is left out.
    func begins(_ work: ClockWork) -> Bool {
        guard !leftOut.contains(work) else { return false }
        working = work
        record?.begin(work)
        return true
    }

    /// What follows is no ``ClockWork``.
    func endWork() {
        working = nil
        record?.endWork()
    }

    /// What is done by itself, so that the store can reject it without the rest of the turn.
    enum Piece: Hashable {
        case waitingRequest(row: Int64)
        case operatorRequest(row: Int64)
        /// One of the outcomes of a kind, by its place among them.
        case outcome(ClockWork, Int)
        case aside(Aside)
    }

    /// What follows from something else that matters more, and is left out rather than hold that up.
    enum Aside: Hashable {
        /// The lines in the chats that say who came and went.
        case presence
        /// What recognises a call for help that is sent twice.
        case rememberedCall

        /// Whether all turns do without it, not only the one that was rejected: it is met so often that
        /// trying it again each time would cost everybody.
        var isLeftOutForGood: Bool { self == .presence }
    }

    /// Does what can be left out. Once a statement has failed on damage, others fail in the same
    /// transaction as well, so the turn is taken again without it.
    func aside(_ aside: Aside, _ body: () throws(StoreError) -> Void) throws(StoreError) {
        guard !rejected.contains(.aside(aside)) else { return }
        let outer = serving
        serving = .aside(aside)
        try body()
        serving = outer
    }
}
