import Contract
import DequeModule
import Racing
import Store
import Tracking

/// A run in progress, or one that ended a short time ago: the progress of all participants.
///
/// It is derived from the stored fixes, and not stored itself: after a start they are read again, a
/// part in each turn, while new ones are counted as they arrive.
final class Race {
    private(set) var run: Run
    private(set) var participants: [UserID: Participant] = [:]
    /// The participants with a state to be published …
    private(set) var changed: Set<UserID> = []
    /// … and when states were last published.
    var toldAt: Timestamp?
    /// Whether the standings may differ from those published.
    var isOrderChanged = true
    var orderToldAt: Timestamp?
    /// The number of published pages; 0 if unknown.
    var pages = 0
    /// The pages still to be published, the pause between them, and when the last one was
    /// published.
    var pagesToTell: Deque<(topic: Topic, payload: [UInt8])> = []
    var pagesApart = Duration.zero
    var pageToldAt: Timestamp?
    /// Whether they contain a participant who must now be hidden.
    var isUrgent = false
    /// The participants whose stored fixes have not all been read since the start …
    private(set) var unknown: Set<UserID> = []
    /// … and those whose result is not stored.
    private(set) var unstored: Set<UserID> = []
    private var users: [Int: UserID] = [:]
    /// The participants whose stored fixes are to be read now …
    private var due: Deque<UserID> = []
    /// … and those for whom that is due later, each with the time, the earliest first.
    private var late: Deque<(user: UserID, from: Timestamp)> = []
    private var waiting: Set<UserID> = []
    private(set) var reading: Reading?
    private let rules = RacingRules()

    struct Participant {
        var entry: RunEntryRow
        /// One runner per device, so that a lost phone or one left behind does not affect the
        /// result.
        var runners: [DeviceID: Runner] = [:]
        /// The number of fixes at the last reading.
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
            // A device that missed checkpoints says less than one that did not.
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

    /// The participant whose stored fixes are being read, and the time up to which they have been.
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

    /// The time in which fixes count: participants waiting at the start are also shown.
    var time: ClosedRange<Timestamp> {
        let first = run.startsAt - Race.before
        return first...max(first, run.endsAt)
    }
    private static let before = Duration.seconds(600)

    /// Updates the run, and reads all stored fixes again if others count now. New ones count
    /// immediately.
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

    /// Makes the standings due soon, discarding pages still to be published.
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

    /// Removes and returns the participants with a state to be published.
    func takeChanged() -> Set<UserID> {
        defer { changed = [] }
        return changed
    }

    // MARK: New fixes

    /// Counts a fix that was just stored.
    ///
    /// - Returns: the number of course segments that it was compared with.
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

    /// Defers a fix that was just stored, to be read from the store.
    func putOff(_ fix: Fix, of user: UserID, at now: Timestamp) {
        if time.contains(fix.takenAt) { takeAgain(user, at: now) }
    }

    /// The time that late fixes are awaited before all are read again, plus a pause per fix to
    /// read: a participant who keeps sending late fixes delays no one.
    private static let lateFixes = Duration.seconds(10)
    private static let pauseOfFix = Duration.milliseconds(1)

    // MARK: Stored fixes

    /// Reads all participants' fixes again.
    func takeAgain() {
        (reading, late) = (nil, [])
        due = Deque(participants.keys.sorted())
        waiting = Set(due)
    }

    /// Reads a participant's fixes again, after a while.
    func takeAgain(_ user: UserID, at now: Timestamp) {
        guard let participant = participants[user], waiting.insert(user).inserted else { return }
        let time = now + Race.lateFixes + Race.pauseOfFix * participant.count
        let place = late.lastIndex { $0.from <= time }.map { $0 + 1 } ?? 0
        late.insert((user, time), at: place)
    }

    /// Whether nothing is known yet of some participant.
    var isIncomplete: Bool { !unknown.isEmpty }

    /// The time at which stored fixes are to be read; nil if there is nothing to do.
    var readingDue: Timestamp? {
        reading != nil || !due.isEmpty ? Timestamp(milliseconds: 0) : late.first?.from
    }

    /// - Returns: the next participant; nil if none is due.
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

    /// Counts stored fixes in order of time, at least those of one moment.
    ///
    /// - Parameters:
    ///   - fixes: those taken since the last reading, and before `end`.
    ///   - end: nil if there are no more to read.
    ///   - most: the number of course segments compared with, after which the rest of the fixes is
    ///     left for the next time.
    /// - Returns: the number of course segments compared with.
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
