/// Metric names that are also used outside their publisher.
public enum MetricName {
    /// The bridge's uptime in seconds; published every ten seconds.
    public static let uptime = "uptime-seconds"
    /// When the newest backup was finished, in seconds since 1970; 0 if there is none.
    public static let lastBackup = "last-backup-timestamp-seconds"
}
