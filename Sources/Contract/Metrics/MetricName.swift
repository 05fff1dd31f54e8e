/// Names of metrics that not only their publisher knows.
public enum MetricName {
    /// How long the bridge has been running, in seconds; published every ten seconds.
    public static let uptime = "uptime-seconds"
    /// When the newest backup was finished, in seconds since 1970; 0 if there is none.
    public static let lastBackup = "last-backup-timestamp-seconds"
}
