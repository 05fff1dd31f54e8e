/// People by the answers that include them: two are in the same class if no answer includes only
/// one of them.
///
/// The classes are the atoms of the algebra that the answers' sets generate. Any combination of
/// these answers, by differences, trackers (Denning, Denning and Schwartz, "The Tracker: A Threat
/// to Statistical Database Security", 1979) or any algebra, is the same for everyone in a class. So
/// it is enough to keep every class large. Comparing pairs of answers, as most overlap controls do,
/// is not enough: A ∪ B, then A, then B after one more person has joined B, differ pairwise by
/// many, and yet isolate one.
struct Companions {
    private var classes: [ContributorSet] = []
    private var everybody = ContributorSet()

    /// Divides the classes by one more answer. Returns false if a class of fewer than k results,
    /// after which this value must not be used.
    mutating func divide(by answer: ContributorSet, k: Int) -> Bool {
        var divided: [ContributorSet] = []
        for old in classes + [answer.subtracting(everybody)] {
            for new in [old.intersection(answer), old.subtracting(answer)] where !new.isEmpty {
                guard new.count >= k else { return false }
                divided.append(new)
            }
        }
        classes = divided
        everybody = everybody.union(answer)
        return true
    }
}
