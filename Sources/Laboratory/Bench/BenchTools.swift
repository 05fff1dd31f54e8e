/// The programs and files that a measurement needs.
public struct BenchTools: Sendable {
    /// `kith`, which runs the bridge and the page.
    public var kith: String
    /// The template of the broker's configuration, and the gate plugin that it names.
    public var brokerTemplate: String
    public var gate: String

    public init(kith: String, brokerTemplate: String, gate: String) {
        self.kith = kith
        self.brokerTemplate = brokerTemplate
        self.gate = gate
    }
}
