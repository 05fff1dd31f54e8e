internal import Glibc
internal import MQTT

/// A record of the bridge's activity at the time it ended, however it ended: a file beside the
/// database, mapped into memory, so that updating it costs nothing.
///
/// A message is acknowledged when its turn is on disk. A message that ends the process would be
/// redelivered after every start, before any other, and timed work would be due again. So after an
/// end in the middle of a turn each is handled alone for a while: a message that was being handled
/// three times when the process ended is refused instead, and ``ClockWork`` that was being done at
/// three ends in a row is skipped.
final class TurnRecord {
    /// The number of ends over the same message or work that count, as the process may have been
    /// killed by chance.
    static let mostEnds: UInt64 = 3

    private let words: UnsafeMutablePointer<UInt64>
    private let messages: Suspects
    private let works: Suspects
    /// Whether messages are to be handled one at a time: the last run ended in the middle of a
    /// turn, and ``settle()`` has not been called since.
    private(set) var isCareful: Bool
    private var isSettled = false
    /// Work that this process skips.
    let leftOut: Set<ClockWork>

    /// The file's 64-bit words. An earlier version's file ends after the first of the messages, and
    /// the rest is zeros.
    private enum Place {
        /// ``Activity``
        static let activity = 0
        /// The message that is being handled alone, as a digest.
        static let message = 1
        /// Messages over which the process ended, as digests.
        static let messages = 2
        /// The ``ClockWork`` that is being done; 0 for none.
        static let work = messages + Suspects.length
        /// Work over which the process ended.
        static let works = work + 1
        static let count = works + Suspects.length
    }

    private enum Activity: UInt64 {
        case none, manyMessages, oneMessage, noMessages
    }

    private static let size = Place.count * MemoryLayout<UInt64>.size

    /// - Parameter path: the database's path; the file is beside it, and is created if it does not
    ///   exist.
    init(besides path: String) throws(BridgeError) {
        let path = "\(path).turn"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw BridgeError.system("\(path) cannot be opened") }
        defer { close(descriptor) }
        // On a full disk, writing to memory that has no room in the file would end the process.
        guard ftruncate(descriptor, off_t(TurnRecord.size)) == 0,
            posix_fallocate(descriptor, 0, off_t(TurnRecord.size)) == 0,
            let memory = mmap(
                nil, TurnRecord.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            memory != MAP_FAILED
        else { throw BridgeError.system("\(path) cannot be used") }
        let words = memory.bindMemory(to: UInt64.self, capacity: Place.count)
        let (messages, works) = (
            Suspects(words + Place.messages), Suspects(words + Place.works)
        )
        let (activity, work) = (words[Place.activity], words[Place.work])
        isCareful = activity != Activity.none.rawValue || work != 0
        if activity == Activity.oneMessage.rawValue {
            // Work done in the same turn has been done before without ending the process.
            messages.noteEnd(over: words[Place.message])
        } else if activity != Activity.manyMessages.rawValue, work != 0 {
            works.noteEnd(over: work)
        }
        leftOut = Set(
            works.all.filter { $0.ends >= TurnRecord.mostEnds }
                .map { ClockWork(rawValue: $0.suspect) })
        (self.words, self.messages, self.works) = (words, messages, works)
        endWork()
        note(.none)
    }

    deinit { munmap(words, TurnRecord.size) }

    /// To be called once the process has served for a while. The next process retries skipped work,
    /// and skips it again after one more end; work that ended the process less often is forgotten.
    func settle() {
        guard !isSettled else { return }
        (isSettled, isCareful) = (true, false)
        works.set(
            works.all.filter { $0.ends >= TurnRecord.mostEnds }
                .map { (suspect: $0.suspect, ends: TurnRecord.mostEnds - 1) })
    }

    // MARK: A turn

    private func note(_ activity: Activity) { words[Place.activity] = activity.rawValue }

    /// Returns whether the message is to be refused rather than handled.
    func condemns(_ message: Message) -> Bool {
        messages.ends(over: TurnRecord.digest(message)) >= TurnRecord.mostEnds
    }

    /// - Parameter message: nil for several messages at once.
    func begin(_ message: Message?) {
        words[Place.message] = message.map(TurnRecord.digest) ?? 0
        note(message == nil ? .manyMessages : .oneMessage)
    }

    func beginWithoutMessages() { note(.noMessages) }

    /// Records that the turn is over, and its single message did not end the process.
    func end() {
        if words[Place.activity] == Activity.oneMessage.rawValue {
            messages.clear(words[Place.message])
        }
        endWork()
        note(.none)
    }

    // MARK: Parts of a turn, or work between turns

    func begin(_ work: ClockWork) { words[Place.work] = work.rawValue }
    func endWork() { words[Place.work] = 0 }

    static func digest(_ message: Message) -> UInt64 {
        var digest = FNV1a()
        digest.combine(Array(message.topic.utf8))
        digest.combine(message.payload)
        digest.combine(message.correlationData ?? [])
        return digest.value
    }
}

/// Messages or work over which the process ended, and how many times, the newest first: pairs of
/// words, zeros for unused entries. An end over one leaves the other entries unchanged.
private struct Suspects {
    /// The maximum number; the oldest are forgotten first. A round handles fewer messages while the
    /// bridge is careful.
    static let most = 16
    /// In words.
    static let length = 2 * most

    private let words: UnsafeMutablePointer<UInt64>

    init(_ words: UnsafeMutablePointer<UInt64>) { self.words = words }

    var all: [(suspect: UInt64, ends: UInt64)] {
        (0..<Suspects.most).map { (suspect: words[2 * $0], ends: words[2 * $0 + 1]) }
            .filter { $0.ends > 0 }
    }

    func set(_ all: [(suspect: UInt64, ends: UInt64)]) {
        for slot in 0..<Suspects.most {
            words[2 * slot] = slot < all.count ? all[slot].suspect : 0
            words[2 * slot + 1] = slot < all.count ? all[slot].ends : 0
        }
    }

    func ends(over suspect: UInt64) -> UInt64 {
        for slot in 0..<Suspects.most where words[2 * slot] == suspect {
            return words[2 * slot + 1]
        }
        return 0
    }

    func noteEnd(over suspect: UInt64) {
        // Bounded, as the file may contain any value.
        let ends = min(ends(over: suspect), TurnRecord.mostEnds - 1) + 1
        set([(suspect: suspect, ends: ends)] + all.filter { $0.suspect != suspect })
    }

    func clear(_ suspect: UInt64) {
        guard ends(over: suspect) > 0 else { return }
        set(all.filter { $0.suspect != suspect })
    }
}
