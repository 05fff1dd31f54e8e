extension Area {
    /// Phones with an OwnTracks app. The apps' topics: [owntracks.md](owntracks.md).
    static let ownTracks = Area(
        "OwnTracks",
        topics: [
            TopicRow(
                .ownTracksLocation, "owntracks/{user}/{phone}", from: [.thatDevice, .bridge],
                to: [.thatUser, .bridge], heardIn: .stream, retained: .takenOff,
                "what an app publishes: see [owntracks.md](owntracks.md)"),
            // An app executes commands received there, so only the bridge may publish it.
            TopicRow(
                .ownTracksCommand, "owntracks/{user}/{phone}/cmd", from: [.bridge],
                to: [.thatUser, .bridge], retained: .cleared),
            TopicRow(
                .ownTracksMessage, "owntracks/{user}/{phone}/{suffix}",
                from: [.thatDevice, .bridge],
                to: [.thatUser, .bridge], heardIn: .stream, retained: .cleared, "the same"),
            TopicRow(
                .ownTracksMember, "owntracks/{user}/@{member}", from: [.bridge],
                to: [.thatUser, .bridge], retained: .compared, "a member as apps show it"),
            TopicRow(
                .ownTracksMemberDetail, "owntracks/{user}/@{member}/{suffix}", from: [.bridge],
                to: [.thatUser, .bridge], retained: .compared, "the same: `info`, `event`"),
        ])
}
