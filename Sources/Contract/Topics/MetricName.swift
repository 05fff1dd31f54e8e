/// Names of metrics that not only their publisher knows.
public enum MetricName {
    /// How long the bridge has been running, in seconds; published every ten seconds.
    public static let uptime = "uptime-seconds"
}
