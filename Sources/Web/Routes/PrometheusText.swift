internal import Foundation

/// The text format of Prometheus (exposition format 0.0.4).
struct PrometheusText {
    private(set) var text = ""
    private var last: String?

    /// - Parameter name: the bridge's name for the metric: `fixes`, `turn-seconds-le-0.005`.
    mutating func add(_ name: String, _ value: Double, _ labels: [String: String] = [:]) {
        var (name, labels) = (name, labels)
        // The bridge reports a histogram as one number per bucket.
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
