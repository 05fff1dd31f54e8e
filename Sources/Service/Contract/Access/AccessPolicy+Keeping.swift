/// Rules for messages that the broker keeps for later.
extension AccessPolicy {
    /// Whether a message whose author may not retain it is accepted without its retain flag.
    ///
    /// OwnTracks apps set the flag on every position. Each spelling of a device's name would be
    /// retained separately, without limit, and would reach the next owner of the name.
    public func forgivesRetaining(_ match: TopicMatch) -> Bool {
        row(of: match).retention == .takenOff
    }

    /// The loss to an absent client if a message is not queued for it.
    public enum Worth: Hashable, Sendable {
        /// Nothing: a message to the service, which is of no use to a client that is away.
        case nothing
        /// Data that can be fetched again: it is retained, or in the history.
        case copy
        /// Data sent only once: a notice or a reply.
        case word
        case alert(GroupKey)
    }

    public func worth(of match: TopicMatch) -> Worth {
        let row = row(of: match)
        if !row.writers.allSatisfy({ $0 == .bridge }) { return .nothing }
        if let group = match.names.group, isAlert(match) { return .alert(group) }
        return match.kind == .listed(.chat) || !row.retainers.isEmpty ? .copy : .word
    }

    func isAlert(_ match: TopicMatch) -> Bool { match.kind == .parsed(.alerts) }
}
