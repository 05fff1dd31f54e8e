import Contract
import Tracking

/// Work that turns do without a message that requests it. Work that ends the process, or that the
/// database rejects, can be skipped individually.
struct ClockWork: Hashable {
    /// The kind in the highest byte, and the instance below: as stored in ``TurnRecord``, which
    /// another version may read. Never 0.
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

    /// An area's work at the end of a turn, and its due time: `AreaHandler.finish`, `nextDue`.
    static let finishing = ofAreas("finish")
    static let rescheduling = ofAreas("reschedule")
    static let sweeping = ofAreas("sweep")

    private static func ofAreas(_ verb: String) -> [ClockWork] {
        Areas.types.map { ClockWork("\(verb) \($0)") }
    }

    // MARK: The turn itself

    /// Deletes the remains of erased users and closed groups.
    static let erasing = ClockWork("erase")
    /// The part of a sweep that belongs to none of the areas.
    static let expiring = ClockWork("sweep")
    /// Handles outcomes of the kind.
    static func taking(_ kind: WorkKind) -> ClockWork { ClockWork(kind.rawValue) }

    /// The due work of one person.
    static func timers(of user: UserID) -> ClockWork {
        ClockWork(.timers, UInt64(bitPattern: user.rawValue))
    }

    /// Identified by its text: request ids are reused.
    static func operatorRequest(_ json: String) -> ClockWork {
        ClockWork(.operatorRequest, ClockWork(json).rawValue)
    }

    // MARK: Its name

    /// The name shown to the operator, which identifies no one: `finish Runs`, `timers`. Nil for
    /// requests, which are answered with a problem instead, and for entries of another version.
    var name: String? {
        switch Kind(rawValue: rawValue >> 56) {
        case .named?: ClockWork.names[self]
        case .timers?: "timers"
        case .operatorRequest?, nil: nil
        }
    }

    /// Whether skipping the work may affect calls for help or their recipients. Unknown work may.
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
        for name in ["erase", "sweep"] + WorkKind.allCases.map(\.rawValue) {
            names[ClockWork(name)] = name
        }
        return names
    }()
}

extension Turn {
    /// Records that the work begins.
    ///
    /// - Returns: whether it is to be done; false if it is skipped.
    func begins(_ work: ClockWork) -> Bool {
        guard !leftOut.contains(work) else { return false }
        working = work
        record?.begin(work)
        return true
    }

    /// Records that the ``ClockWork`` is over.
    func endWork() {
        working = nil
        record?.endWork()
    }

    /// The line for the log if the error is a refusal, which only a request may end with. It
    /// contains nothing of what was refused.
    func unexpected(_ error: any Error) -> String? {
        Problem(of: error).map {
            "Unexpected refusal in \(working?.name ?? "a turn"): \($0.kind.rawValue)"
        }
    }

    /// Work that is done separately, so that the store can reject it without the rest of the turn.
    enum Piece: Hashable {
        case waitingRequest(row: Int64)
        case operatorRequest(row: Int64)
        /// One of the outcomes of a kind, by its place among them.
        case outcome(ClockWork, Int)
        case aside(Aside)
    }

    /// A side effect of more important work, which is skipped rather than delay that.
    enum Aside: Hashable {
        /// The chat lines about members arriving and leaving.
        case presence
        /// The record that recognises a call for help sent twice.
        case rememberedCall

        /// Whether all turns skip it, not only the rejected one: it is so frequent that retrying it
        /// each time would slow down everyone.
        var isLeftOutForGood: Bool { self == .presence }
    }

    /// Does work that can be skipped. Once a statement has failed on damage, others also fail in
    /// the same transaction, so the turn is rerun without it.
    func aside(_ aside: Aside, _ body: () throws -> Void) throws {
        guard !rejected.contains(.aside(aside)) else { return }
        let outer = serving
        serving = .aside(aside)
        try body()
        serving = outer
    }
}
