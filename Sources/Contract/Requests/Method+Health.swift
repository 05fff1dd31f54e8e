extension Method {
    /// For monitors.
    public static let health = Method(
        "system.health", .reads, [], guest: Form { GuestCommand.health },
        gives: "`{storing,calls?}`: `storing`, the service works, and has just written to its "
            + "disk; false and `calls:true` while the disk is full and only calls for help are "
            + "stored; no answer where nothing is")
}
