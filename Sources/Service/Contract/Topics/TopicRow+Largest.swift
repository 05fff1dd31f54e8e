/// The maximum message sizes, for clients with a Maximum Packet Size (MQTT 5).
extension TopicRow {
    /// The maximum payload size in bytes.
    public var largest: Int {
        if let measured = TopicRow.measured[kind] { return measured }
        return writers.contains(.thatGuest) ? PayloadLimits.guest : PayloadLimits.maximum
    }

    /// The bytes of the largest alert when first published: it grows with those who have seen it
    /// and those who help.
    public static let largestAlert = 4_096

    /// The sizes of messages with all parts at maximum length, rounded up to ``step``: a test
    /// generates them. The others are truncated, or divided, at ``PayloadLimits/maximum``.
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

    /// The rounding step, so that an additional member does not change the number each time.
    public static let step = 1_024
}
