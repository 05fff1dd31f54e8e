/// How most timelines begin.
enum Opening {
    /// One group; the phone is connected and has sent its position.
    static let online = """
        10:00:00 joins family
        10:00:00 phone connects
        10:00:00 phone at 0 m
        """

    /// The same with two groups.
    static let twoGroups = """
        10:00:00 joins family
        10:00:00 joins work
        10:00:00 phone connects
        10:00:00 phone at 0 m
        """

    /// On a journey that the family follows, with an hour to go.
    static let journey = """
        \(online)
        10:00:00 travels to 5000 m by 11:00:00 with family
        """

    /// The same with a phone that holds no connection.
    static let journeyWithoutConnection = """
        10:00:00 joins family
        10:00:00 phone at 0 m
        10:00:00 travels to 5000 m by 11:00:00 with family
        """

    /// In an emergency that two groups know of.
    static let emergency = """
        \(twoGroups)
        10:00:00 triggers SOS
        """
}
