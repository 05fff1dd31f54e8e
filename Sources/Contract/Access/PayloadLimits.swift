/// Bytes of what is published or asked for.
public enum PayloadLimits {
    /// Of anybody; what is larger is refused.
    public static let maximum = 65_536
    /// Of a guest.
    public static let guest = 4096
    /// Of the correlation data of a request, which its reply carries back.
    public static let correlationData = 256
    /// What counts for one message where messages are counted; a larger one counts for several.
    public static let oneMessage = 512
}
