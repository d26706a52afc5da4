package septet.elastic.analysis;

import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.index.analysis.AbstractTokenFilterFactory;

final class PorterStem extends AbstractTokenFilterFactory {
    PorterStem(String name, Settings settings) {
        super(name, settings);
    }

    @Override
    public TokenStream create(TokenStream tokens) {
        return new PorterStemFilter(tokens);
    }
}
