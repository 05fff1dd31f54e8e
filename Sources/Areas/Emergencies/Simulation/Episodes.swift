import Tracking

/// The state of a user as announced to a group, which determines the alerts that may come next.
struct Episodes {
    struct Key: Hashable {
        let user: Int64
        let group: Int64
    }

    /// On a journey, which an SOS suspends.
    private var isTravelling = false
    private var isInSOS = false
    /// Whether the person has called, and not only their vital signs.
    private var hasCalled = false
    private var isStuck = false
    private var isOffline = false
    private var isSilent = false

    /// - Parameter mayCallAgain: whether a pending end of the SOS was withdrawn in this turn.
    /// - Returns: the reason why this alert is wrong now; nil if it is right.
    mutating func take(_ kind: Alert.Kind, mayCallAgain: Bool) -> String? {
        switch kind {
        case .journeyStarted:
            if isTravelling || isInSOS { return "a journey began within another" }
            self = Episodes()
            isTravelling = true
        case .journeyStopped, .journeyArrived:
            if !isTravelling { return "a journey ended that was none" }
            if isInSOS {
                (isTravelling, isStuck) = (false, false)
            } else {
                self = Episodes()
            }
        case .sos:
            if hasCalled { return mayCallAgain ? nil : "an SOS began within another" }
            if !isInSOS, !isTravelling {
                self = Episodes()
                // Perhaps silent, on a journey that this group did not follow.
                isSilent = true
            }
            (isInSOS, hasCalled) = (true, true)
        case .sosStopped:
            if !isInSOS { return "an SOS ended that was none" }
            let before = self
            self = Episodes()
            if before.isTravelling {
                (isTravelling, isStuck, isSilent) = (true, before.isStuck, before.isSilent)
            }
        case .sosLeft:
            if !isInSOS { return "an SOS ended that was none" }
            self = Episodes()
        case .late:
            if !isTravelling || isInSOS { return "somebody was late without a journey" }
        case .stuck:
            if !isTravelling || isInSOS || isStuck { return "stuck twice, or without a journey" }
            isStuck = true
        case .moving:
            if !isStuck || isInSOS { return "moving, who was not stuck" }
            isStuck = false
        case .offline:
            // A user who is back but still silent is not announced as back.
            if isOffline && !isSilent || !(isTravelling || isInSOS) {
                return "offline twice, or while nobody watches"
            }
            isOffline = true
        case .online: (isOffline, isSilent) = (false, false)
        case .silent:
            if !(isTravelling || isInSOS) { return "silent while nobody watches" }
            isSilent = true
        case .inNeed:
            if !isInSOS {
                if !isTravelling {
                    self = Episodes()
                    isSilent = true
                }
                isInSOS = true
            }
        case .assisted: if !isInSOS { return "assisted, who needed no help" }
        // A call for the vital signs may continue while the groups are notified of the end of the
        // SOS.
        case .vitalsSilent, .vitalsBack, .unanswered: break
        }
        return nil
    }
}
