extension Method {
    /// For monitors.
    public static let health = Method(
        "system.health", .reads, [],
        Form(
            "",
            gives: "`{storing:true}`: the service works, and has just written to its disk; no "
                + "answer where it cannot"),
        guest: { _ in .health })
}
