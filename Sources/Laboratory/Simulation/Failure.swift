/// A violation that an oracle found.
struct Failure: Error, CustomStringConvertible {
    let oracle: String
    let description: String

    init(_ oracle: String, _ description: String) {
        self.oracle = oracle
        self.description = "\(oracle): \(description)"
    }
}
