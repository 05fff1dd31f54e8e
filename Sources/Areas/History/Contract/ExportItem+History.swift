internal import JSON
public import Tracking

extension ExportItem {
    /// - Parameter source: where it is from, as the person calls it.
    public static func importedPosition(_ position: Fix, source: String) -> ExportItem {
        ExportItem("imported-position") { json in
            json.member("source", source)
            json.key("position")
            json.fix(position, asReceived: false)
        }
    }
}
