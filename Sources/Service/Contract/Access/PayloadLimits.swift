/// Size limits for publications and requests, in bytes.
public enum PayloadLimits {
    /// For all clients; larger payloads are refused.
    public static let maximum = 65_536
    /// For a guest.
    public static let guest = 4096
    /// For a request's correlation data, which its reply returns.
    public static let correlationData = 256
    /// The size that counts as one message where messages are counted; a larger message counts as
    /// several.
    public static let oneMessage = 512
}
