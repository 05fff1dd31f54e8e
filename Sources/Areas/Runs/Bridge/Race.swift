import Contract
import DequeModule
import Racing
import Store
import Tracking

/// A run that is on, or was a short time ago: how far everybody has come.
///
/// It follows from the fixes that are stored, and is not stored itself: after a start they are taken
/// again, a part in each turn, while new ones are taken as they come.
final class Race {
    private(set) var run: Run
    private(set) var participants: [UserID: Participant] = [:]
    /// Those of whom everybody is to be told something, ...
    private(set) var changed: Set<UserID> = []
    /// ... and since when.
    var toldAt: Timestamp?
    /// Whether the standings may be others than everybody was told.
    var isOrderChanged = true
    var orderToldAt: Timestamp?
    /// The messages in which they were told; 0: that is not known.
    var pages = 0
    /// Those of them that are still to be told, how long apart, and when the last one was.
    var pagesToTell: Deque<(topic: Topic, payload: [UInt8])> = []
    var pagesApart = Duration.zero
    var pageToldAt: Timestamp?
    /// Whether somebody is in them who is not to be seen any more.
    var isUrgent = false
    /// Those of whom not all stored fixes were taken since the start, ...
    private(set) var unknown: Set<UserID> = []
    /// ... and those whose result is not stored.
    private(set) var unstored: Set<UserID> = []
    private var users: [Int: UserID] = [:]
    /// Those of whom stored fixes are to be taken now, ...
    private var due: Deque<UserID> = []
    /// ... and those of whom that is done later, each with the time, the earliest first.
    private var late: Deque<(user: UserID, from: Timestamp)> = []
    private var waiting: Set<UserID> = []
    private(set) var reading: Reading?
    private let rules = RacingRules()

    struct Participant {
        var entry: RunEntryRow
        /// Each device counts for itself, so that a phone that was lost or left behind holds nobody up.
        var runners: [DeviceID: Runner] = [:]
        /// How many fixes were taken when that was done last.
        var count = 0
        var isHidden = false
        var heartRate: (perMinute: Double, at: Timestamp)?

        /// The device with which they came farthest.
        var best: Runner {
            runners.sorted { $0.key < $1.key }.map(\.value).reduce(Runner()) { best, other in
                Participant.isAhead(other, of: best) ? other : best
            }
        }

        private static func isAhead(_ one: Runner, of other: Runner) -> Bool {
            // A device that lost the way says less than one that did not.
            if one.hasFinished, other.hasFinished, one.missed.isEmpty != other.missed.isEmpty {
                return one.missed.isEmpty
            }
            return switch (one.finishedAt, other.finishedAt) {
            case (let one?, let other?): one < other
            case (_?, nil): true
            case (nil, _?): false
            case (nil, nil):
                one.distance != other.distance
                    ? one.distance > other.distance : one.hasStarted && !other.hasStarted
            }
        }
    }

    /// Whose stored fixes are being taken, and those taken before which time.
    struct Reading {
        let user: UserID
        var before: Timestamp
        var runners: [DeviceID: Runner] = [:]
        var count = 0
    }

    init(_ run: Run, _ entries: [RunEntryRow]) {
        self.run = run
        for entry in entries {
            participants[entry.user] = Participant(entry: entry)
            users[entry.bib] = entry.user
        }
        unknown = Set(participants.keys)
        takeAgain()
    }

    /// When fixes count: whoever waits at the start is seen there.
    var time: ClosedRange<Timestamp> {
        let first = run.startsAt - Race.before
        return first...max(first, run.endsAt)
    }
    private static let before = Duration.seconds(600)

    /// Everybody's fixes are taken again if others count now. Those that come meanwhile count at once.
    func set(_ run: Run) {
        let (old, oldTime) = (self.run, time)
        self.run = run
        if run.course != old.course || time != oldTime { takeAgain() }
    }

    func change(_ user: UserID, _ body: (inout Participant) -> Void) {
        guard var participant = participants.removeValue(forKey: user) else { return }
        body(&participant)
        participants[user] = participant
    }

    func remove(_ user: UserID) {
        if let bib = participants.removeValue(forKey: user)?.entry.bib { users[bib] = nil }
        changed.remove(user)
        unknown.remove(user)
        unstored.remove(user)
        if reading?.user == user { reading = nil }
        hurry()
    }

    /// The standings are to be told soon, and not as they were about to be.
    func hurry() {
        (isOrderChanged, isUrgent) = (true, true)
        pagesToTell.removeAll()
    }

    func note(_ user: UserID) {
        changed.insert(user)
        unstored.insert(user)
        isOrderChanged = true
    }

    func noteStored(_ user: UserID) { unstored.remove(user) }

    func takesPart(_ bib: Int) -> Bool { users[bib] != nil }

    /// What is to be told of whom.
    func takeChanged() -> Set<UserID> {
        defer { changed = [] }
        return changed
    }

    // MARK: As it comes

    /// Counts a fix that was just stored.
    ///
    /// - Returns: the straight parts of the course with which it was compared.
    func receive(_ fix: Fix, from device: DeviceID, of user: UserID, at now: Timestamp) -> Int {
        guard time.contains(fix.takenAt), let participant = participants[user] else { return 0 }
        if let reading, reading.user == user {
            if fix.takenAt < reading.before { takeAgain(user, at: now) }
            return 0
        }
        guard !unknown.contains(user) else { return 0 }
        if let last = participant.runners[device]?.lastAt, fix.takenAt <= last {
            takeAgain(user, at: now)
            return 0
        }
        defer { note(user) }
        return participants[user]?.runners[device, default: Runner()]
            .receive(fix, on: run.course, from: run.startsAt, rules) ?? 0
    }

    /// Leaves a fix that was just stored to be read from there.
    func putOff(_ fix: Fix, of user: UserID, at now: Timestamp) {
        if time.contains(fix.takenAt) { takeAgain(user, at: now) }
    }

    /// So long late fixes are waited for, before all are taken again, and longer for each that there is to
    /// take: whoever sends late fixes all the time holds nobody up.
    private static let lateFixes = Duration.seconds(10)
    private static let pauseOfFix = Duration.milliseconds(1)

    // MARK: What is stored

    /// Everybody's fixes are taken again.
    func takeAgain() {
        (reading, late) = (nil, [])
        due = Deque(participants.keys.sorted())
        waiting = Set(due)
    }

    /// Somebody's fixes are taken again, after a while.
    func takeAgain(_ user: UserID, at now: Timestamp) {
        guard let participant = participants[user], waiting.insert(user).inserted else { return }
        let time = now + Race.lateFixes + Race.pauseOfFix * participant.count
        let place = late.lastIndex { $0.from <= time }.map { $0 + 1 } ?? 0
        late.insert((user, time), at: place)
    }

    /// Whether nothing is known yet of somebody.
    var isIncomplete: Bool { !unknown.isEmpty }

    /// When stored fixes are to be taken; nil if there is nothing to do.
    var readingDue: Timestamp? {
        reading != nil || !due.isEmpty ? Timestamp(milliseconds: 0) : late.first?.from
    }

    /// - Returns: who is next; nil if nobody is due.
    func nextToRead(at now: Timestamp) -> UserID? {
        if let reading { return reading.user }
        while let first = late.first, first.from <= now {
            late.removeFirst()
            due.append(first.user)
        }
        guard let user = due.popFirst() else { return nil }
        waiting.remove(user)
        reading = Reading(user: user, before: time.lowerBound)
        return user
    }

    /// Takes stored fixes, in the order in which they were taken, and at least those of one moment.
    ///
    /// - Parameters:
    ///   - fixes: those that were taken from then on, and before `end`.
    ///   - end: at the end of what there is to read, nil.
    ///   - most: after so many straight parts of the course with which they are compared, the rest of the
    ///     fixes is left for the next time.
    /// - Returns: with how many they were compared.
    @discardableResult
    func take(
        _ fixes: [(device: DeviceID, fix: Fix)], before end: Timestamp?, atMost most: Int
    ) -> Int {
        guard var next = reading else { return 0 }
        reading = nil
        var (end, segmentsRead, last) = (end, 0, Timestamp?.none)
        let ordered = fixes.filter { time.contains($0.fix.takenAt) }
            .sorted { ($0.fix.takenAt, $0.device) < ($1.fix.takenAt, $1.device) }
        for (device, fix) in ordered {
            if segmentsRead >= most, let last, fix.takenAt > last {
                end = fix.takenAt
                break
            }
            last = fix.takenAt
            next.count += 1
            segmentsRead += next.runners[device, default: Runner()]
                .receive(fix, on: run.course, from: run.startsAt, rules)
        }
        if let end {
            next.before = end
            reading = next
        } else if participants[next.user] != nil {
            participants[next.user]?.runners = next.runners
            participants[next.user]?.count = next.count
            unknown.remove(next.user)
            note(next.user)
        }
        return segmentsRead
    }
}
