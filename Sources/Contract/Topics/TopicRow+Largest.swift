/// How large messages can be, for clients that do not take any (MQTT 5, Maximum Packet Size).
extension TopicRow {
    /// The bytes that a payload there has at most.
    public var largest: Int {
        if let measured = TopicRow.measured[kind] { return measured }
        return writers.contains(.thatGuest) ? PayloadLimits.guest : PayloadLimits.maximum
    }

    /// The bytes of the largest alert when it is first told: it grows with those who have seen it and
    /// those who help.
    public static let largestAlert = 4_096

    /// Of messages with every part as long as it can be, rounded up to ``step``: a test makes them.
    /// The others are cut off, or divided, at ``PayloadLimits/maximum``.
    private static let measured: [Topic.Kind: Int] = [
        .parsed(.stored): 3_072,
        .parsed(.member): 36_864,
        .parsed(.path): 3_072,
        .parsed(.alerts): 49_152,
        .parsed(.location): 1_024,
        .parsed(.notices): 5_120,
        .parsed(.ownTracksMember): 1_024,
        .parsed(.ownTracksMemberDetail): 2_048,
        .listed(.chat): 17_408,
        .listed(.share): 2_048,
        .listed(.unread): 1_024,
        .listed(.place): 16_384,
    ]

    /// So that a member more does not change the number each time.
    public static let step = 1_024
}
