/// Limits, in bytes, on what is published or requested.
public enum PayloadLimits {
    /// For anybody; larger payloads are refused.
    public static let maximum = 65_536
    /// For a guest.
    public static let guest = 4096
    /// For the correlation data of a request, which its reply returns.
    public static let correlationData = 256
    /// The size that counts as one message where messages are counted; a larger one counts as
    /// several.
    public static let oneMessage = 512
}
