/// Bytes of what is published or asked for.
public enum PayloadLimits {
    /// Of anybody; what is larger is refused.
    public static let maximum = 65_536
    /// Of a guest.
    public static let guest = 4096
    /// What counts for one message where messages are counted; a larger one counts for several.
    public static let oneMessage = 512
}
