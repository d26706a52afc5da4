package septet.elastic.analysis;

import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.ngram.EdgeNGramTokenFilter;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.index.analysis.AbstractTokenFilterFactory;

final class EdgeGrams extends AbstractTokenFilterFactory {
    private final int shortest;
    private final int longest;
    private final boolean preserveOriginal;

    EdgeGrams(String name, Settings settings) {
        super(name, settings);
        shortest = settings.getAsInt("min_gram", 1);
        longest = settings.getAsInt("max_gram", 2);
        preserveOriginal = settings.getAsBoolean("preserve_original", false);
    }

    @Override
    public TokenStream create(TokenStream tokens) {
        return new EdgeNGramTokenFilter(tokens, shortest, longest, preserveOriginal);
    }
}
