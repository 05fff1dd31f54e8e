internal import JSON

/// A page of a list that ends at a number of bytes, so that its elements have been written already.
///
/// - `next`: where the next page begins; nil at the end.
public typealias WrittenPage = (elements: [[UInt8]], next: String?)

extension Payload where Value == WrittenPage {
    /// `{<name>:[…],next}`
    static func page<Element>(_ name: StaticString, of element: Payload<Element>) -> Payload {
        let written = WrittenKind<[UInt8]>(element.schema) { $1.raw($0) }
        return Payload(
            .init(name, .list(of: written)) { $0.elements },
            .init("next", .orNull(.text)) { $0.next })
    }
}
