/// The programs and files that a measurement needs.
public struct BenchTools: Sendable {
    /// The program that runs the parts in processes of their own: `kith` itself.
    public var program: String
    /// The template of the broker's configuration, and the gate plugin that it names.
    public var brokerTemplate: String
    public var gate: String

    public init(program: String, brokerTemplate: String, gate: String) {
        self.program = program
        self.brokerTemplate = brokerTemplate
        self.gate = gate
    }
}
