internal import Tracking

/// A time in which nobody listened to what phones send without being asked: the bridge was away, or
/// the disk full. What came then has waited at the broker, and is not older for it.
struct ListeningGap {
    /// When they were heard last.
    private var heardAt: Timestamp?
    /// The beginning of a gap whose messages may still come, and until when.
    private var past: (start: Timestamp, until: Timestamp)?

    /// What is shorter makes nothing old.
    static let shortest = Duration.seconds(60)
    /// How long what has waited takes to come, at most.
    static let catchingUp = Duration.seconds(3600)

    /// - Parameter heardAt: when an earlier process heard them last; nil if that is not known.
    init(heardAt: Timestamp? = nil) { self.heardAt = heardAt }

    /// They are heard from now on.
    mutating func end(at now: Timestamp) {
        guard let heardAt, heardAt + ListeningGap.shortest <= now else { return }
        past = (past?.start ?? heardAt, now + ListeningGap.catchingUp)
    }

    mutating func note(listeningAt now: Timestamp) {
        heardAt = now
        if let past, past.until <= now { self.past = nil }
    }

    /// Since when messages may have waited; nil if none have.
    func start(isListening: Bool) -> Timestamp? { past?.start ?? (isListening ? nil : heardAt) }
}
