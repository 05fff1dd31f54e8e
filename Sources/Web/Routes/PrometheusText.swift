internal import Foundation

/// The text that Prometheus reads (exposition format 0.0.4).
struct PrometheusText {
    private(set) var text = ""
    private var last: String?

    /// - Parameter name: as the bridge names its metrics: `fixes`, `turn-seconds-le-0.005`.
    mutating func add(_ name: String, _ value: Double, _ labels: [String: String] = [:]) {
        var (name, labels) = (name, labels)
        // A histogram is told as a number for each bucket.
        if let range = name.range(of: "-le-") {
            let bound = name[range.upperBound...]
            labels["le"] = bound == "inf" ? "+Inf" : String(bound)
            name = name[..<range.lowerBound] + "-bucket"
        } else if name.hasPrefix("rejected-") {
            labels["kind"] = String(name.dropFirst("rejected-".count))
            name = "rejections"
        } else if name.hasPrefix("alerts-") {
            labels["kind"] = String(name.dropFirst("alerts-".count))
            name = "alerts"
        }
        let list = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\($0.value)\"" }
        let suffix = list.isEmpty ? "" : "{\(list.joined(separator: ","))}"
        let metric = "kith_" + name.map { PrometheusText.isPlain($0) ? String($0) : "_" }.joined()
        text += "\(metric)\(suffix) \(value)\n"
    }

    private static func isPlain(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber)
    }
}
