internal import Glibc
internal import MQTT

/// What the bridge was doing when it ended, however it ended: a file beside the database, mapped
/// into memory, so that updating it costs nothing.
///
/// A message is acknowledged when its turn is on disk. A message that ends the process would be
/// delivered again after every start, before any other. So after an end in the middle of a turn,
/// messages are taken one at a time for a while; one that was being taken three times when the
/// process ended is refused instead.
final class TurnRecord {
    /// How many times the process must end during the same message, as it may have been killed by
    /// chance.
    static let mostEnds: UInt64 = 3

    private let words: UnsafeMutablePointer<UInt64>
    /// Whether the last run ended in the middle of a turn.
    let isCareful: Bool

    /// The 64-bit words of the file.
    private enum Word: Int, CaseIterable {
        /// ``Activity``
        case activity
        /// The message that is being taken, as a digest.
        case current
        /// The message during which the process ended, as a digest, and how many times.
        case suspect, ends
    }

    private enum Activity: UInt64 {
        case none, manyMessages, oneMessage
    }

    private static let size = Word.allCases.count * MemoryLayout<UInt64>.size

    /// - Parameter path: of the database; the file lies beside it, and is created if it does not
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
        words = memory.bindMemory(to: UInt64.self, capacity: Word.allCases.count)
        isCareful = words[Word.activity.rawValue] != Activity.none.rawValue
        if words[Word.activity.rawValue] == Activity.oneMessage.rawValue { noteEnd() }
        note(.none)
    }

    deinit { munmap(words, TurnRecord.size) }

    private func noteEnd() {
        let current = words[Word.current.rawValue]
        let isTheSame = words[Word.suspect.rawValue] == current
        words[Word.ends.rawValue] = isTheSame ? words[Word.ends.rawValue] + 1 : 1
        words[Word.suspect.rawValue] = current
    }

    private func note(_ activity: Activity) { words[Word.activity.rawValue] = activity.rawValue }

    /// Returns whether the message is to be refused rather than taken.
    func condemns(_ message: Message) -> Bool {
        words[Word.ends.rawValue] >= TurnRecord.mostEnds
            && words[Word.suspect.rawValue] == TurnRecord.digest(message)
    }

    /// - Parameter message: nil for several messages at once.
    func begin(_ message: Message?) {
        words[Word.current.rawValue] = message.map(TurnRecord.digest) ?? 0
        note(message == nil ? .manyMessages : .oneMessage)
    }

    func end() {
        if words[Word.activity.rawValue] == Activity.oneMessage.rawValue,
            words[Word.current.rawValue] == words[Word.suspect.rawValue]
        {
            (words[Word.suspect.rawValue], words[Word.ends.rawValue]) = (0, 0)
        }
        note(.none)
    }

    private static func digest(_ message: Message) -> UInt64 {
        var digest = FNV1a()
        digest.combine(Array(message.topic.utf8))
        digest.combine(message.payload)
        digest.combine(message.correlationData ?? [])
        return digest.value
    }
}
