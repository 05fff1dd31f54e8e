/// What of a message is kept for those who come later.
extension AccessPolicy {
    /// Whether a message is taken without its retain flag where its author may not retain it.
    ///
    /// OwnTracks apps set the flag on every position. Each spelling of a device's name would be
    /// retained of its own, without an end, and for whoever has the name after its owner.
    public func forgivesRetaining(_ place: Place) -> Bool {
        row(of: place).retention == .takenOff
    }

    /// What is lost for somebody who is away, if a message does not wait for them.
    public enum Worth: Hashable, Sendable {
        /// What was said to the service: who is away asks for nothing of it.
        case nothing
        /// What can be had again: it is retained, or in the history.
        case copy
        /// Said once: a notice, a reply.
        case word
        case alert(GroupKey)
    }

    public func worth(of place: Place) -> Worth {
        let row = row(of: place)
        if !row.writers.allSatisfy({ $0 == .bridge }) { return .nothing }
        if let group = place.names.group, isAlert(place) { return .alert(group) }
        return place.kind == .chat || !row.retainers.isEmpty ? .copy : .word
    }

    func isAlert(_ place: Place) -> Bool { place.kind == .alerts }
}
