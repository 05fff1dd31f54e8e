/// Asks whether the service stores data.
public struct HealthCommand: AreaGuestCommand {}

extension Method {
    /// The health check for monitoring.
    public static let health = Method(
        "system.health", .reads, [], guest: Form { HealthCommand() },
        gives: "`{storing,calls?}`: `storing`: the service works and has just written to "
            + "its disk; false and `calls:true` while the disk is full and only calls for help are "
            + "stored; no answer if nothing is stored")
}
